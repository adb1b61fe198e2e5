#pragma once
#include <vector>

#include "bochner/models/harmonic/fit.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Whether outcomes, or of classes their probabilities, have quantiles: all but those of robustmax, whose classes are certain
/// given f.
bool has_quantiles(const HarmonicFit& fit);

/// Quantiles from the q(f) of a prediction (HarmonicPrediction::draws), one matrix for each level, in the units of the table:
/// of a new outcome, N x P; of the probability of each class, N x K, or N x 1 of the second of two classes. Exact but for
/// softmax (likelihoods/predictive.hpp), whose draws belong to the fit. InputError where there are none.
std::vector<Matrix> predict_quantiles(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws,
                                      const std::vector<double>& levels, const Compute& compute);

/// Central intervals: the quantiles at (1 - coverage) / 2 and (1 + coverage) / 2.
struct PredictionInterval {
  Matrix low, high;
};
PredictionInterval predict_interval(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws,
                                    double coverage, const Compute& compute);

/// log p(y | x, data) of each entry in the units of the table, N x columns of Y; NaN where Y is.
Matrix log_density(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws, MatrixIn Y,
                   const Compute& compute);

/// For each entry of Y the share of its probability that lies within the central interval: 1 or 0 for continuous outcomes, a
/// fraction for counts at the ends of theirs, so that the mean over rows is `coverage` for a model that is right
/// [czado2009]. NaN where Y is.
Matrix covered_share(const HarmonicFit& fit, const std::vector<LatentMarginals>& draws, MatrixIn Y,
                     double coverage, const Compute& compute);

/// Covariance of each latent function between rows, P of them, N x N, in the units of the table. InputError for deep models, whose
/// layers are known row by row only.
std::vector<Matrix> predict_covariance(const HarmonicFit& fit, MatrixIn X, const Compute& compute);

/// `count` draws of new outcomes at all rows, N x P each; classes are numbers from 0. With one layer they are draws of whole
/// functions, with noise of each row; with hidden layers rows are drawn independently.
std::vector<Matrix> sample_outcomes(const HarmonicFit& fit, MatrixIn X, Index count, const Rng& rng,
                                    const Compute& compute);

}  // namespace bochner
