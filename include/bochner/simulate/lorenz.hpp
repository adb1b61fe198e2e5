#pragma once
#include <string>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/simulate/missing.hpp"
#include "bochner/simulate/simulated.hpp"

namespace bochner {

/// Lorenz's system dx = s (y - x), dy = x (r - z) - y, dz = x y - b z [lorenz1963], the series of
/// [zhang2023, Sec. 4.2]. The paper leaves the constants to its program; the defaults are those.
struct LorenzOptions {
  Index N = 500, M = 50;
  double dt = 0.01;
  double s = 10, r = 28, b = 2.667;
  Vector start = Vector{{0, 1, 1.05}};
  double noise_variance = 1;
  std::string view = "lorenz";
  MissingOptions missing{};
};

/// The states at 0, dt, .. (N - 1) dt, N x 3, by Euler steps: the map is the benchmark, not the flow, so a
/// better integrator would be another series.
Matrix lorenz_path(const LorenzOptions& options = {});

/// Latents X: the path, each column centred and divided by its largest absolute value. F: 10 tanh(X W) with
/// W ~ N(0, 1), 3 x M, each column then standardised (divisor N), which takes the 10 out again.
/// Y = F + N(0, noise_variance). Time t runs from -1 to 1.
Simulated simulate_lorenz(const Rng& rng, const LorenzOptions& options = {});

}  // namespace bochner
