#include "covariates.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/compute/row_plan.hpp"
#include "bochner/infer/slice.hpp"
#include "src/models/bayes/likelihood.hpp"

namespace bochner {

namespace {

/// E df_j / dx_d for x_d ~ N(0, variance_d), J: with sines' weights b, sum over l of w_ld b_lj exp(-w' V w / 2) / sqrt L. It does not
/// depend on where latents are, so that a shift and its way back go along one line.
Vector expected_slopes(const BayesViewState& view, const Vector& variance, Index d) {
  const Index L = view.W.rows();
  const Vector damped = (-0.5 * (view.W.cwiseAbs2() * variance).array()).exp() / std::sqrt(double(L));
  return view.B.middleRows(L, L).transpose() * view.W.col(d).cwiseProduct(damped);
}

/// -2 log p(x_d), up to a constant.
double prior_quadratic(const BayesModel& model, const BayesState& state, Index d, const Vector& x) {
  if (!model.latent.dynamic) return x.squaredNorm();
  const PathPrior& path = state.paths[static_cast<std::size_t>(d)];
  return path_density(path_steps(path, model.grid), model.grid.sorted(x)).quadratic / path.variance;
}

double log_likelihood_of(const BayesModel& model, const BayesState& state, const Compute& compute) {
  const LatentLikelihood likelihood(model.tables, state.views);
  Vector by_row = Vector::Zero(state.X.rows());
  for_each_block(compute, state.X.rows(), 64, [&](Index begin, Index size) {
    by_row.segment(begin, size) = likelihood(rows_from(begin, size), state.X.middleRows(begin, size));
  });
  return by_row.sum();
}

/// One shift of dimension d along covariate k.
void shift(const BayesModel& model, BayesState& state, Index d, Index k, const Vector& variance, Rng& rng,
           const Compute& compute) {
  const Vector c = model.tables.front().covariates.col(k), x = state.X.col(d);
  const auto row_of = [&](const BayesViewState& view) { return 2 * view.W.rows() + k; };
  std::vector<Vector> slopes, gammas;
  for (const BayesViewState& view : state.views) {
    slopes.push_back(expected_slopes(view, variance, d));
    gammas.push_back(view.B.row(row_of(view)).transpose());
  }
  const auto put = [&](double s) {
    state.X.col(d) = x + s * c;
    for (std::size_t v = 0; v < state.views.size(); ++v)
      state.views[v].B.row(row_of(state.views[v])) = (gammas[v] - s * slopes[v]).transpose();
  };
  const auto log_density = [&](double s) {
    put(s);
    double out =
        log_likelihood_of(model, state, compute) - 0.5 * prior_quadratic(model, state, d, state.X.col(d));
    for (std::size_t v = 0; v < state.views.size(); ++v)
      out -= 0.5 * (gammas[v] - s * slopes[v]).squaredNorm();
    return out;
  };
  // As far as sample correlations of independent columns go.
  const double width = 2 / std::max(c.norm(), 1e-8);
  const double to = slice_sample(log_density, 0, log_density(0), rng, {.width = width}).x;
  if (to == 0) {  // stays, to the last bit
    state.X.col(d) = x;
    for (std::size_t v = 0; v < state.views.size(); ++v)
      state.views[v].B.row(row_of(state.views[v])) = gammas[v].transpose();
    return;
  }
  put(to);
}

}  // namespace

void shift_along_covariates(const BayesModel& model, BayesState& state, Rng& rng, const Compute& compute) {
  const Index C = model.tables.front().covariates.cols();
  Vector variance = Vector::Ones(state.X.cols());
  for (std::size_t d = 0; d < state.paths.size(); ++d) variance(Index(d)) = state.paths[d].variance;
  constexpr Index most = 8;  // of a sweep: each looks at all tables about six times
  const Index Q = state.X.cols(), pairs = C * Q;
  for (Index i = 0; i < std::min(most, pairs); ++i) {
    const Index pair = pairs <= most ? i : rng.below(pairs);
    shift(model, state, pair % Q, pair / Q, variance, rng, compute);
  }
}

}  // namespace bochner
