#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// What a model says about entries, one Gaussian each: of the function f, and of a measurement y = f + noise.
/// All N x P. The mean is that of both.
struct Predictive {
  Matrix mean;
  Matrix f_variance;
  Matrix y_variance;
};

}  // namespace bochner
