#pragma once
#include "bochner/models/harmonic/fit.hpp"

namespace bochner {

/// Values, by their weights, below which an outcome stays as it is.
inline constexpr Index fewest_to_calibrate = 20;

/// What validation rows say about how sure a fit is (HarmonicCalibration); `draws` are q(f) at these rows, in the units of the
/// model, before any calibration, Y their outcomes, with weights in one more column if rows have some
/// (src/likelihoods/likelihood_rows.hpp). The spread, the temperature and the factor of counts maximise the log predictive
/// density of Y, the factor of numbers the fit of the share of Y in its 90 % intervals, -(share - 0.9)^2 rows / (2 0.9 0.1), plus
///
///   -(log factor)^2 / 2,   -spread^2 / 2,
///
/// priors worth a few rows, so that twenty rows do not say more than they know. Outcomes with fewer than 20 values stay.
/// Returns the sum of the log predictive densities that judged, over outcomes.
double calibrate(HarmonicFit& fit, const std::vector<LatentMarginals>& draws, MatrixIn Y,
                 const Compute& compute);

/// The same sum for the fit as it is.
double validation_density(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws, MatrixIn Y,
                          const Compute& compute);

/// q(f) with the calibration of the fit.
void apply_calibration(const HarmonicFit& fit, LatentMarginals& f);

}  // namespace bochner
