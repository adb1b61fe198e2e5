#include <algorithm>

#include "bochner/core/checks.hpp"
#include "bochner/models/bayes/fit.hpp"
#include "bochner/random/count_draws.hpp"
#include "row_law.hpp"
#include "table.hpp"

namespace bochner {

namespace {

/// One row of measurements (M), in scaled units.
Vector draw_row(const BayesViewFit& view, const RowLaw& law, Rng& rng) {
  const Index J = law.mean.size();
  if (view.likelihood == BayesLikelihood::categorical) {
    const std::vector<Index> at = softmaxes(view);
    Vector out(static_cast<Index>(view.columns.size()));
    for (Index m = 0; m < out.size(); ++m) {
      const auto i = static_cast<std::size_t>(m);
      out(m) = double(rng.categorical(law.mean.segment(at[i], at[i + 1] - at[i])));
    }
    return out;
  }
  if (view.likelihood == BayesLikelihood::multinomial) {
    // The entries of a row share its size: Poisson counts given it, and negative binomial, as law_of says, without it.
    constexpr double most = 1e15;  // that poisson() takes
    const double size = rng.exponential();
    return Vector::NullaryExpr(
        J, [&](Index j) { return double(poisson(std::min(size * law.mean(j), most), rng)); });
  }
  return Vector::NullaryExpr(J, [&](Index j) { return draw_entry(view, law, j, rng); });
}

}  // namespace

std::vector<Matrix> sample_measurements(const BayesFit& fit, Index count, const Rng& rng) {
  check_at_least("sample_measurements", "count", count, 1);
  std::vector<Matrix> out;
  for (const BayesViewFit& view : fit.views) out.emplace_back(count, static_cast<Index>(view.columns.size()));
  for (Index i = 0; i < count; ++i) {
    Rng own = rng.split(static_cast<std::uint64_t>(i));
    const auto s = static_cast<std::size_t>(own.below(static_cast<Index>(fit.X.size())));
    const Index n = own.below(fit.X[s].rows());
    const Matrix x = fit.X[s].row(n);
    for (std::size_t v = 0; v < fit.views.size(); ++v) {
      const BayesViewFit& view = fit.views[v];
      const BayesFunctions& draw = view.draws[s];
      const Vector covariates = fit.design.size() > 0 ? Vector(fit.design.row(n)) : Vector();
      const Vector f =
          functions_at(draw, bayes_features(draw.W, x, Threads(1)).row(0).transpose(), covariates);
      RowKnown known;
      if (view.exposure.size() > 0) known.exposure = view.exposure(n);
      Rng noise = own.split(view.name);
      out[v].row(i) = draw_row(view, law_of(view, draw, f, known), noise).transpose();
    }
  }
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    if (fit.views[v].likelihood == BayesLikelihood::gaussian) out[v] = fit.views[v].scaling.undo(out[v]);
    if (fit.views[v].row_median > 0) out[v] *= fit.views[v].row_median;
  }
  return out;
}

}  // namespace bochner
