#include "level.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bochner/assess/convergence.hpp"
#include "moves/parameters.hpp"
#include "moves/whitened.hpp"

namespace bochner {

namespace {

constexpr double least_gap = 5;  // e^5 times less probable, where modes are equally wide

double deviation(const Vector& x) {
  return std::sqrt((x.array() - x.mean()).square().sum() / std::max(1.0, double(x.size() - 1)));
}

double standard_error(const Matrix& levels, Index chain) {
  const Matrix own = levels.row(chain);
  const double ess = ess_mean(own);
  return deviation(own.row(0).transpose()) / std::sqrt(std::max(1.0, std::isnan(ess) ? 1.0 : ess));
}

}  // namespace

Level log_posterior(const BayesModel& model, const BayesState& state, const Rng& rng,
                    const Compute& compute) {
  const WhitenedState whitened(model, state, rng, compute);
  const Vector& theta = whitened.coordinates();
  Vector gradient(theta.size());
  Level out{.value = whitened.log_density(theta, gradient)};
  // Stretches of frequencies, which start at zero, are no dimensions of the posterior.
  const Index stretches = state.X.cols() * static_cast<Index>(state.views.size());
  out.identity = theta.dot(gradient) + double(theta.size() - stretches);
  for (std::size_t v = 0; v < state.views.size(); ++v)
    out.value += log_scale_density(model.tables[v], model.priors, state.views[v]);
  for (const PathPrior& path : state.paths) {
    const double u = std::log(path.ell / model.priors.ell_median) / model.priors.log_ell_sd;
    out.value += -0.5 * u * u - model.priors.path_variance_shape * std::log(path.variance) -
                 model.priors.path_variance_scale / path.variance;
  }
  return out;
}

std::vector<Vector> less_noisy(std::vector<Vector> levels, const std::vector<Vector>& identities) {
  double products = 0, squares = 0;
  for (std::size_t c = 0; c < levels.size(); ++c) {
    if (identities[c].size() != levels[c].size()) return levels;  // of an earlier release
    if (levels[c].size() == 0) return levels;
    const Vector centred = identities[c].array() - identities[c].mean();
    products += centred.dot(levels[c]);
    squares += centred.squaredNorm();
  }
  for (std::size_t c = 0; c < levels.size() && squares > 0; ++c)
    levels[c] -= products / squares * identities[c];
  return levels;
}

std::vector<Index> going_on(const std::vector<Vector>& levels) {
  std::vector<Index> order(levels.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto of = [&](Index c) -> const Vector& { return levels[static_cast<std::size_t>(c)]; };
  for (const Vector& own : levels)
    if (own.size() == 0) return order;  // nothing to tell by
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return of(a).mean() > of(b).mean(); });
  const double least = of(order.front()).mean() - std::max(least_gap, deviation(of(order.front())));
  std::erase_if(order, [&](Index c) { return !(of(c).mean() >= least); });
  return order;
}

std::vector<Index> lower_chains(const Matrix& levels, const std::vector<Matrix>& shared) {
  std::vector<Index> out;
  if (levels.rows() < 2 || levels.cols() < 20) return out;  // too few draws to tell
  Index best = 0;
  const Vector mean = levels.rowwise().mean();
  mean.maxCoeff(&best);
  const double error = standard_error(levels, best);
  for (Index c = 0; c < levels.rows(); ++c) {
    if (c == best || mean(best) - mean(c) < least_gap) continue;
    if (mean(best) - mean(c) < 3 * std::hypot(error, standard_error(levels, c))) continue;
    const bool apart = std::any_of(shared.begin(), shared.end(), [&](const Matrix& values) {
      Matrix both(2, values.cols());
      both << values.row(best), values.row(c);
      return rhat(both) > 1.2;
    });
    if (apart) out.push_back(c);
  }
  return out;
}

}  // namespace bochner
