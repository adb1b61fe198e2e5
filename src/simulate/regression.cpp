#include "bochner/simulate/regression.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "bochner/core/checks.hpp"
#include "bochner/simulate/emissions.hpp"
#include "bochner/simulate/gp_draw.hpp"

namespace bochner {
namespace {

Matrix uniform_rows(const RegressionOptions& options, Rng rng) {
  Matrix X(options.N, options.D);
  for (Index n = 0; n < X.rows(); ++n)
    for (Index d = 0; d < X.cols(); ++d) X(n, d) = options.low + (options.high - options.low) * rng.uniform();
  if (!options.sorted) return X;
  std::vector<Index> order(static_cast<std::size_t>(options.N));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return X(a, 0) < X(b, 0); });
  return X(order, Eigen::all);
}

}  // namespace

SimulatedRegression simulate_regression(const AnyKernel& kernel, const RegressionOptions& options,
                                        const Rng& rng, const Compute& compute) {
  check_at_least("simulate_regression", "N", options.N, 1);
  check_at_least("simulate_regression", "D", options.D, 1);
  check_at_least("simulate_regression", "P", options.P, 1);
  check_finite("simulate_regression", "low", options.low);
  check_positive("simulate_regression", "high - low", options.high - options.low);
  SimulatedRegression out{.X = uniform_rows(options, rng.split("inputs")),
                          .noise_variance = options.noise_variance};
  out.F = draw_functions(kernel, out.X, options.P, rng.split("functions"), compute);
  out.Y =
      draw_emission(GaussianEmission{.noise_variance = options.noise_variance}, out.F, rng.split("noise"));
  return out;
}

}  // namespace bochner
