#pragma once
#include "src/models/bayes/state.hpp"

namespace bochner {

/// The state turned about the origin so that X, centred, comes closest to `frame`, and frequencies with it: x'w stays.
/// Neither the likelihood nor N(0, I) can tell the difference.
/// Coefficients of covariates are kept apart from the other weights, times the sd of their prior.
BayesStored turned(const BayesState& state, const Matrix& frame, double covariate_sd);

}  // namespace bochner
