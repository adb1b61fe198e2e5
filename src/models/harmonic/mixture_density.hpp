#pragma once
#include <vector>

#include "bochner/models/harmonic/gp.hpp"

namespace bochner {

/// log of the mean over `draws` of the hidden layers of p(y | draw), N x outputs; NaN where Y is. Of one draw, log_predictive.
Matrix mixture_log_predictive(const AnyLikelihood& likelihood, MatrixIn Y,
                              const std::vector<LatentMarginals>& draws);

}  // namespace bochner
