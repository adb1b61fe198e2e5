#pragma once
#include <string>
#include <vector>

#include "bochner/models/bayes/draws.hpp"

namespace bochner {

/// What covariates do to the functions of one view, all C x J: how much f rises per unit of a number, or from the reference to a
/// level; Gaussian views in units of their columns. A softmax does not see what its functions have in common, which is taken out.
struct CovariateEffects {
  std::string view;
  Matrix mean, sd;
  Matrix low, high;                 // of the middle 90 %
  Matrix rhat, ess_bulk, ess_tail;  // NaN if there are too few draws

  /// How many intervals do not hold 0.
  Index clear() const;
};

/// Of every view, from draws that are gone through as often as memory asks for; none without covariates.
std::vector<CovariateEffects> covariate_effects(const BayesFit& fit, const BayesDraws& draws,
                                                const Compute& compute);

}  // namespace bochner
