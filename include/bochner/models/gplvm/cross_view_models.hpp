#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

// A view that a sample lacks altogether, from the views that it has. The functions of a fit are learned at latents that
// have seen every view; a new sample's latent has not, and predictions at it are over-confident. Training samples that are
// embedded anew from some views are no remedy: they return to the latents which the absent view has helped to place. A
// cross-view predictor is learned after the fit from the tables themselves, and sees of a training sample what it will see
// of a new one.

/// What a predictor sees of a sample: scores t on the principal components of the views `from`,
///
///   x0 = (weight_v (z_v - centre_v))_v,   x = x0 min(1, limit / |x0|) - shift,   t = loadings' x
///
/// each view with a total variance of one or each column with its own. Missing entries of x0 are at their conditional
/// mean given the others, fill_m'(fill_O'fill_O + diag(penalty))^-1 fill_O' x0_O [tipping1999]. The limit keeps an outlying
/// sample from being extrapolated to.
struct CrossViewInputs {
  std::vector<std::string> from;
  Vector centre;     // M, columns of all views one after the other, scaled units
  Vector weight;     // M, >= 0; 0 for columns that say nothing
  Matrix fill;       // M x q, leading components; q = 0: missing entries are at their means
  Vector penalty;    // q, > 0
  double limit = 1;  // > 0
  Vector shift;      // M
  Matrix loadings;   // M x r; the training scores have a mean squared length of 1
  double unit = 1;   // |x|^2 / unit is the squared length of x in the units of t
};

/// Bayesian regression of every column of a view on t:
///
///   y_m = intercept_m + f_m + noise,   f_m ~ GP(0, s2_m ((1 - share) t't~ + share exp(-|u - u~|^2 / 2))),
///   u = input_scale o t
///
/// The ratio rho = sigma2_m / s2_m of a column is averaged over a grid: its evidence times a prior that all columns share,
/// so that a column that cannot be predicted is shrunk to its mean. In the eigenbasis psi of the features (inducing inputs
/// Z stand for the second kernel) with eigenvalues d,
///
///   E f_m = weights_m'psi,   V f_m = sum_g spread_mg (sum_j psi_j^2 rho_g / (d_j + rho_g) + what the features miss)
struct CrossViewPredictor {
  CrossViewInputs inputs;
  std::string target;
  double share = 0;      // of the nonlinear kernel, 0 .. 1
  Vector input_scale;    // r
  Matrix Z;              // m x r, scaled
  Matrix projection;     // (r + m) x k: psi = projection'(t, k(Z, u)) - centre
  Vector centre;         // k
  Vector spectrum;       // k, d > 0
  double missed = 0;     // what the features miss of a training sample, on average: part of the noise
  Matrix weights;        // k x M
  Vector intercept;      // M, scaled units of the target
  Vector noise;          // M, variances
  Matrix spread;         // M x cross_view_ratios().size()
  double explained = 0;  // share of the variance of held-out entries explained, in cross-validation
};

/// Predictors for the sets of views that samples may come with.
struct CrossViewModels {
  std::vector<CrossViewPredictor> predictors;

  /// The predictor of `target` from the largest learned subset of the views that are present, the one that explains most
  /// among equals; nullptr if there is none.
  const CrossViewPredictor* choose(const std::vector<std::string>& present, std::string_view target) const;
};

}  // namespace bochner
