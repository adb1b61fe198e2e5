#include "bochner/simulate/latent_views.hpp"

#include <utility>

#include "bochner/core/checks.hpp"
#include "bochner/simulate/gp_draw.hpp"

namespace bochner {

Simulated simulate_views(const Matrix& X, const Vector& t, const std::vector<ViewRecipe>& views,
                         const MissingOptions& missing, const Rng& rng, const Compute& compute) {
  check_at_least("simulate_views", "the number of views", static_cast<Index>(views.size()), 1);
  check_at_least("simulate_views", "the number of rows of X", X.rows(), 1);
  check_size("simulate_views", "the length of t", t.size(), "rows of X", X.rows());
  check_finite("simulate_views", "X", X);
  std::vector<View> tables;
  std::vector<ViewTruth> truth;
  for (const ViewRecipe& view : views) {
    check_emission(view.emission, view.M);
    ViewTruth v;
    v.F = draw_functions(view.kernel, X, view.M, rng.split("functions").split(view.name), compute);
    if (std::holds_alternative<MultinomialEmission>(view.emission)) v.F.rightCols(1).setZero();
    v.mean = emission_mean(view.emission, v.F);
    v.Y = draw_emission(view.emission, v.F, rng.split("emissions").split(view.name));
    if (const auto* gaussian = std::get_if<GaussianEmission>(&view.emission))
      v.noise_variance = gaussian->noise_variance;
    v.dispersion = emission_dispersion(view.emission, view.M);
    tables.push_back(make_view(view.name, v.Y));
    truth.push_back(std::move(v));
  }
  return {with_missing(std::move(tables), missing, rng.split("holes")), X, t, std::move(truth)};
}

Simulated simulate_views(const SCurveViews& recipe, const Rng& rng, const Compute& compute) {
  const SCurve curve = s_curve(rng, recipe.curve);
  return simulate_views(curve.X, curve.t, recipe.views, recipe.missing, rng, compute);
}

std::vector<ViewRecipe> rbf_and_gibbs_views(Index M) {
  return {{.name = "rbf", .kernel = rbf_map(), .M = M}, {.name = "gibbs", .kernel = gibbs_map(), .M = M}};
}

}  // namespace bochner
