#include "bochner/simulate/lorenz.hpp"

#include <cmath>
#include <utility>

#include "bochner/core/checks.hpp"
#include "bochner/simulate/emissions.hpp"

namespace bochner {

Matrix lorenz_path(const LorenzOptions& options) {
  const double s = options.s, r = options.r, b = options.b;
  check_at_least("lorenz_path", "N", options.N, 1);
  check_positive("lorenz_path", "dt", options.dt);
  check_size("lorenz_path", "the length of start", options.start.size(), "the number of states", 3);
  check_finite("lorenz_path", "start", options.start);
  Matrix P(options.N, 3);
  P.row(0) = options.start.transpose();
  for (Index n = 1; n < options.N; ++n) {
    const double x = P(n - 1, 0), y = P(n - 1, 1), z = P(n - 1, 2);
    P(n, 0) = x + s * (y - x) * options.dt;
    P(n, 1) = y + (r * x - y - x * z) * options.dt;
    P(n, 2) = z + (x * y - b * z) * options.dt;
  }
  check_finite("lorenz_path", "the path (dt may be too large)", P);
  return P;
}

Simulated simulate_lorenz(const Rng& rng, const LorenzOptions& options) {
  check_at_least("simulate_lorenz", "N", options.N, 3);
  check_at_least("simulate_lorenz", "M", options.M, 1);
  Matrix X = lorenz_path(options);
  X.rowwise() -= X.colwise().mean().eval();
  for (Index q = 0; q < 3; ++q) X.col(q) /= X.col(q).cwiseAbs().maxCoeff();

  const Matrix W = rng.split("weights").normal(3, options.M);
  Matrix F = 10 * (X * W).array().tanh();
  F.rowwise() -= F.colwise().mean().eval();
  for (Index m = 0; m < F.cols(); ++m)
    F.col(m) /= std::sqrt(F.col(m).squaredNorm() / static_cast<double>(options.N));

  const GaussianEmission emission{.noise_variance = options.noise_variance};
  Matrix Y = draw_emission(emission, F, rng.split("noise"));
  Dataset data = with_missing({make_view(options.view, Y)}, options.missing, rng.split("holes"));
  return {.data = std::move(data),
          .X = std::move(X),
          .t = Vector::LinSpaced(options.N, -1, 1),
          .truth = {{.F = F, .mean = F, .Y = std::move(Y), .noise_variance = options.noise_variance}}};
}

}  // namespace bochner
