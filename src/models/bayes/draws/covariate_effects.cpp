#include "bochner/models/bayes/covariate_effects.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/assess/convergence.hpp"
#include "bochner/compute/row_plan.hpp"
#include "src/models/bayes/row_law.hpp"

namespace bochner {

namespace {

constexpr double most_coefficients =
    5e7;  // draws of them in memory at a time, 400 MB; each pass reads all draws

/// Coefficients of one draw in the units of the table, C x J.
Matrix in_units(const BayesViewFit& view, const Vector& units, Matrix own) {
  const std::vector<Index> groups = softmaxes(view);
  for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
    auto part = own.middleCols(groups[g], groups[g + 1] - groups[g]);
    part.colwise() -= part.rowwise().mean().eval();
  }
  own = units.cwiseInverse().asDiagonal() * own;
  if (view.likelihood == BayesLikelihood::gaussian) own = own * view.scaling.scale.asDiagonal();
  return own;
}

double coefficient_quantile(const std::vector<double>& sorted, double share) {
  const double at = share * double(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - double(below)) * (sorted[above] - sorted[below]);
}

/// Of one coefficient, from its draws (chains x draws).
void summarise(const Matrix& values, Index c, Index j, CovariateEffects& out) {
  std::vector<double> sorted(values.data(), values.data() + values.size());
  std::sort(sorted.begin(), sorted.end());
  out.mean(c, j) = values.mean();
  out.sd(c, j) = std::sqrt((values.array() - values.mean()).square().mean());
  out.low(c, j) = coefficient_quantile(sorted, 0.05);
  out.high(c, j) = coefficient_quantile(sorted, 0.95);
  const bool enough = values.cols() >= 4;
  out.rhat(c, j) = enough ? rhat(values) : std::nan("");
  out.ess_bulk(c, j) = enough ? ess_bulk(values) : std::nan("");
  out.ess_tail(c, j) = enough ? ess_tail(values) : std::nan("");
}

CovariateEffects effects_of(const BayesFit& fit, std::size_t v, const BayesDraws& draws,
                            const Compute& compute) {
  const BayesViewFit& view = fit.views[v];
  const Vector units = fit.covariates.units();
  const Index C = units.size(), J = view.functions(), all = draws.chains * draws.draws;
  const Matrix none = Matrix::Zero(C, J);
  CovariateEffects out{view.name, none, none, none, none, none, none, none};
  const auto at_once = std::clamp<Index>(static_cast<Index>(most_coefficients / double(all * C)), 1, J);
  for (Index begin = 0; begin < J; begin += at_once) {
    const Index size = std::min(at_once, J - begin);
    std::vector<Matrix> values(static_cast<std::size_t>(C * size), Matrix(draws.chains, draws.draws));
    draws.each([&](const BayesDraw& draw) {
      const Matrix own = in_units(view, units, draw.functions[v].covariates);
      for (Index i = 0; i < C * size; ++i)
        values[static_cast<std::size_t>(i)](draw.chain, draw.number) = own(i / size, begin + i % size);
    });
    for_each_block(compute, C * size, 8, [&](Index first, Index count) {
      for (Index i = first; i < first + count; ++i)
        summarise(values[static_cast<std::size_t>(i)], i / size, begin + i % size, out);
    });
  }
  return out;
}

}  // namespace

Index CovariateEffects::clear() const { return (low.array() > 0 || high.array() < 0).count(); }

std::vector<CovariateEffects> covariate_effects(const BayesFit& fit, const BayesDraws& draws,
                                                const Compute& compute) {
  std::vector<CovariateEffects> out;
  if (draws.chains * draws.draws == 0) return out;  // stopped before the first one
  for (std::size_t v = 0; v < fit.views.size() && fit.covariates.width() > 0; ++v)
    out.push_back(effects_of(fit, v, draws, compute));
  return out;
}

}  // namespace bochner
