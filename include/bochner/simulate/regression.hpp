#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

struct RegressionOptions {
  Index N = 200, D = 1, P = 1;  // rows, inputs, outputs
  double low = -3, high = 3;    // inputs are uniform on this interval in every dimension
  bool sorted = true;           // rows by their first input, ready to plot
  double noise_variance = 0.1;
};

/// Regression data with known truth: rows x uniform, f_p ~ GP(0, kernel), y = f + N(0, noise_variance).
struct SimulatedRegression {
  Matrix X;     // N x D
  Matrix F, Y;  // N x P
  double noise_variance = 0;
};

SimulatedRegression simulate_regression(const AnyKernel& kernel, const RegressionOptions& options,
                                        const Rng& rng, const Compute& compute);

}  // namespace bochner
