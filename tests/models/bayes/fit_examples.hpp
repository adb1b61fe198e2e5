#pragma once
#include <gtest/gtest.h>

#include "bochner/models/bayes/bayes.hpp"
#include "bochner/simulate/latent_views.hpp"

// What tests of whole Bayesian fits share: counts on an S-curve, options for a short run, equal fits.
namespace bochner::bayes_test {

inline Simulated counts(Index N, Index M, std::uint64_t seed = 1) {
  SCurveViews recipe;
  recipe.curve.N = N;
  recipe.views[0].M = M;
  recipe.views[0].emission = PoissonEmission{};
  return simulate_views(recipe, Rng(seed), Threads(1));
}

inline BayesOptions quick(BayesLikelihood likelihood, Index views = 1) {
  return {.frequencies = 15,
          .views = std::vector<BayesViewOptions>(std::size_t(views), {.likelihood = likelihood}),
          .chains = 2,
          .warmup = 40,
          .draws = 30,
          .stored = 20};
}

inline void expect_same(const BayesFit& a, const BayesFit& b) {
  EXPECT_EQ(a.latent.mean, b.latent.mean);
  EXPECT_EQ(a.latent.sd, b.latent.sd);
  ASSERT_EQ(a.X.size(), b.X.size());
  for (std::size_t s = 0; s < a.X.size(); ++s) {
    EXPECT_EQ(a.X[s], b.X[s]);
    for (std::size_t v = 0; v < a.views.size(); ++v) EXPECT_EQ(a.views[v].draws[s].B, b.views[v].draws[s].B);
  }
  EXPECT_EQ(a.log_density, b.log_density);
}

}  // namespace bochner::bayes_test
