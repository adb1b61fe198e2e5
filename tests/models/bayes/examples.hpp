#pragma once
#include <cmath>

#include "src/models/bayes/likelihood.hpp"
#include "src/models/bayes/sweep.hpp"

// Small models of every likelihood, with missing values, for tests of the sampler as such.
namespace bochner::testing::bayes {

inline constexpr Index N = 6, J = 4, Q = 2, L = 3;

inline BayesPriors tight_priors(bool dirichlet) {
  // Moments of all test functions exist.
  return {.frequencies = {.dirichlet = dirichlet, .lambda = 2, .degrees = 7, .scale = 4},
          .amplitude_shape = 6,
          .amplitude_scale = 3,
          .intercept_sd = 0.5,
          .noise_shape = 6,
          .noise_scale = 2,
          .dispersion_shape = 3,
          .rate_shape = 6,
          .rate_rate = 4,
          .ell_median = 0.8,
          .log_ell_sd = 0.5,
          .path_variance_shape = 6,
          .path_variance_scale = 5};
}

inline BayesTable empty_table(BayesLikelihood likelihood) {
  Matrix Y = Matrix::Ones(N, J);
  if (likelihood == BayesLikelihood::multinomial) Y = Y * 3;
  Y(1, 0) = Y(4, 3) = Y(4, 2) = std::nan("");  // holes
  BayesTable t;
  if (likelihood == BayesLikelihood::categorical) {
    t = make_bayes_table(likelihood, Y.leftCols(2), Matrix(), {3, 2});
  } else {
    t = make_bayes_table(likelihood, Y, Matrix::Constant(1, 1, 5));
  }
  for (Index j = 0; j < t.cols(); ++j) t.intercept(j) = 0.3 - 0.2 * double(j);
  return t;
}

inline BayesModel make_model(const std::vector<BayesLikelihood>& likelihoods, bool dynamic, PathKind kind,
                             bool dirichlet) {
  BayesModel model{.priors = tight_priors(dirichlet), .latent = {dynamic, kind}, .Q = Q, .L = L};
  for (const BayesLikelihood l : likelihoods) model.tables.push_back(empty_table(l));
  // Irregular times, two groups, rows out of order.
  model.grid = make_time_grid(Vector{{0.4, 0, 1, 2, 0.7, 1.1}}, {0, 0, 0, 0, 1, 1});
  return model;
}

/// A fresh table from the state.
inline void redraw(BayesModel& model, const BayesState& state, Rng& rng) {
  for (std::size_t v = 0; v < model.tables.size(); ++v)
    model.tables[v] = draw_table(std::move(model.tables[v]), state.views[v].scale,
                                 functions_of(model.tables[v], state.views[v], state.X, Threads(1)), rng);
}

}  // namespace bochner::testing::bayes
