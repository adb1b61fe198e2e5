#pragma once
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/models/gplvm/fit.hpp"

namespace bochner {

// The posterior of a latent is approximate: independent Gaussians for what may be curved or have many modes, and independent
// noise of columns that may share what the latent does not explain. The variances of predictions are therefore multiplied by
// one factor for each view, so that 90 % intervals hold 90 % of the entries that were hidden from the fit.

/// The factor of variances by which 90 % of these squared errors in units of their variance, (y - mean)^2 / variance, lie in
/// their intervals; drawn towards 1 where there are few, and 1 for less than 20. Between 1/20 and 20.
double calibration_factor(std::vector<double> squared_errors);

/// `fit` with the calibration of each view learned from single entries that were hidden from it: a fit to
/// hide(data, held_out). Views that a sample lacks altogether have intervals of their own (cross_view_models.hpp).
GplvmFit calibrated(GplvmFit fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                    const Compute& compute);

/// Variances to judge a calibrated view by the very entries that it was calibrated with: each fifth of the rows has the factor
/// of the other four. `truth` is NaN where nothing was hidden; `variance` has the factor `calibration` in it.
Matrix cross_calibrated(const Matrix& truth, const Matrix& mean, const Matrix& variance, double calibration);

}  // namespace bochner
