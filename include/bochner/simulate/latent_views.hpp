#pragma once
#include <string>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/simulate/emissions.hpp"
#include "bochner/simulate/maps.hpp"
#include "bochner/simulate/missing.hpp"
#include "bochner/simulate/s_curve.hpp"
#include "bochner/simulate/simulated.hpp"

namespace bochner {

/// How one table comes from the latents: M functions f_m ~ GP(0, kernel), then an emission per entry.
struct ViewRecipe {
  std::string name = "y";
  AnyKernel kernel = rbf_map();
  Index M = 100;
  Emission emission = GaussianEmission{};
};

/// Tables from given latents X (N x Q), with the position or time t (N) of each row. Every view has its own
/// streams, named after it: another view, or other missing entries, change neither its functions nor its noise.
/// Cost O(N^3 + N^2 M) a view, memory O(N^2).
Simulated simulate_views(const Matrix& X, const Vector& t, const std::vector<ViewRecipe>& views,
                         const MissingOptions& missing, const Rng& rng, const Compute& compute);

/// Tables from the S-curve: one view of [li2024, Sec. 6.2] unless told otherwise.
struct SCurveViews {
  SCurveOptions curve{};
  std::vector<ViewRecipe> views{ViewRecipe{}};
  MissingOptions missing{};
};
Simulated simulate_views(const SCurveViews& recipe, const Rng& rng, const Compute& compute);

/// The two views "rbf" and "gibbs" of [yang2025, Sec. 4.2], M columns each. The paper's other data set has two
/// views with rbf_map().
std::vector<ViewRecipe> rbf_and_gibbs_views(Index M = 100);

}  // namespace bochner
