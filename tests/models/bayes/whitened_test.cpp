#include "src/models/bayes/moves/whitened.hpp"

#include <gtest/gtest.h>

#include "examples.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::whitened_test {
namespace {

using namespace testing::bayes;

struct Example {
  BayesModel model;
  BayesState state;

  Example(const std::vector<BayesLikelihood>& likelihoods, bool dynamic, PathKind kind = PathKind::matern32)
      : model(make_model(likelihoods, dynamic, kind, true)), state(draw_prior(model, Rng(5))) {
    Rng rng(6);
    redraw(model, state, rng);
  }
  WhitenedState whitened() const { return {model, state, Rng(7), Threads(1)}; }
};

double log_likelihood(const BayesModel& model, const BayesState& state) {
  Vector by_row = Vector::Zero(N);
  for (std::size_t v = 0; v < model.tables.size(); ++v)
    add_log_likelihood(model.tables[v], state.views[v].scale, rows_from(0, N),
                       functions_of(model.tables[v], state.views[v], state.X, Threads(1)), by_row);
  return by_row.sum();
}

class Whitened : public ::testing::TestWithParam<std::tuple<BayesLikelihood, bool>> {};

TEST_P(Whitened, RestoresTheState) {
  const Example e({std::get<0>(GetParam())}, std::get<1>(GetParam()));
  BayesState back = e.state;
  back.X.setZero();
  back.views[0].W.setZero();
  back.views[0].B.setZero();
  const WhitenedState whitened = e.whitened();
  whitened.restore(whitened.coordinates(), back);
  EXPECT_LT((back.X - e.state.X).norm(), 1e-10);
  EXPECT_LT((back.views[0].W - e.state.views[0].W).norm(), 1e-10);
  EXPECT_LT((back.views[0].B - e.state.views[0].B).norm(), 1e-10);
  EXPECT_NEAR(back.views[0].amplitude, e.state.views[0].amplitude, 1e-12);
}

TEST_P(Whitened, HasTheGradientOfItsDensity) {
  const Example e({std::get<0>(GetParam())}, std::get<1>(GetParam()));
  const WhitenedState whitened = e.whitened();
  const Vector at = whitened.coordinates() + 0.1 * Rng(8).normal(whitened.coordinates().size());
  Vector gradient(at.size()), unused(at.size());
  whitened.log_density(at, gradient);
  testing::expect_gradient([&](const Vector& theta) { return whitened.log_density(theta, unused); }, at,
                           gradient, 1e-6, "whitened coordinates");
}

/// Without stretches and with the amplitude fixed, the density is the likelihood times N(0, I).
TEST_P(Whitened, DensityIsThatOfTheState) {
  const Example e({std::get<0>(GetParam())}, std::get<1>(GetParam()));
  const WhitenedState whitened = e.whitened();
  const Index latents = std::get<1>(GetParam()) ? N * 2 * Q : N * Q;
  const Vector from = whitened.coordinates();
  Vector to = from + 0.2 * Rng(9).normal(from.size());
  to.segment(latents, 1 + Q) = from.segment(latents, 1 + Q);
  BayesState there = e.state;
  whitened.restore(to, there);
  Vector unused(from.size());
  const double difference = whitened.log_density(to, unused) - whitened.log_density(from, unused);
  EXPECT_NEAR(difference,
              log_likelihood(e.model, there) - log_likelihood(e.model, e.state) -
                  0.5 * (to.squaredNorm() - from.squaredNorm()),
              1e-9);
}

using enum BayesLikelihood;
INSTANTIATE_TEST_SUITE_P(Likelihoods, Whitened,
                         ::testing::Combine(::testing::Values(gaussian, poisson, negbinom, binomial,
                                                              bernoulli, multinomial, categorical),
                                            ::testing::Bool()));

TEST(Whitened, HoldsSeveralViewsAndRougherPaths) {
  for (const PathKind kind : {PathKind::matern12, PathKind::matern52, PathKind::random_walk}) {
    const Example e({gaussian, poisson}, true, kind);
    const WhitenedState whitened = e.whitened();
    Vector gradient(whitened.coordinates().size()), unused = gradient;
    whitened.log_density(whitened.coordinates(), gradient);
    testing::expect_gradient([&](const Vector& theta) { return whitened.log_density(theta, unused); },
                             whitened.coordinates(), gradient, 1e-6, "two views");
  }
}

TEST(Whitened, HasTheGradientWithCovariatesAndRestoresThem) {
  for (const BayesLikelihood likelihood : {gaussian, poisson, multinomial}) {
    Example e({likelihood}, true);
    e.model.tables[0].covariates = Rng(3).normal(N, 2);
    e.state = draw_prior(e.model, Rng(5));
    Rng rng(6);
    redraw(e.model, e.state, rng);
    ASSERT_EQ(e.state.views[0].B.rows(), 2 * L + 3);
    const WhitenedState whitened = e.whitened();
    Vector gradient(whitened.coordinates().size()), unused = gradient;
    whitened.log_density(whitened.coordinates(), gradient);
    testing::expect_gradient([&](const Vector& theta) { return whitened.log_density(theta, unused); },
                             whitened.coordinates(), gradient, 1e-6, "covariates");
    BayesState back = e.state;
    back.views[0].B.setZero();
    whitened.restore(whitened.coordinates(), back);
    EXPECT_LT((back.views[0].B - e.state.views[0].B).norm(), 1e-10);
  }
}

TEST(Whitened, HasTheGradientWithExposures) {
  for (const BayesLikelihood likelihood : {poisson, negbinom}) {
    Example e({likelihood}, false);
    e.model.tables[0].offset = Vector{{0, 1.2, -0.7, 0.4, -1.5, 0.9}};
    const WhitenedState whitened = e.whitened();
    Vector gradient(whitened.coordinates().size()), unused = gradient;
    whitened.log_density(whitened.coordinates(), gradient);
    testing::expect_gradient([&](const Vector& theta) { return whitened.log_density(theta, unused); },
                             whitened.coordinates(), gradient, 1e-6, "exposures");
  }
}

/// Stretched frequencies take their components with them.
TEST(Whitened, StretchesComponents) {
  const Example e({gaussian}, false);
  const WhitenedState whitened = e.whitened();
  Vector theta = whitened.coordinates();
  theta(N * Q + 1) = std::log(2.0);  // of the first dimension
  BayesState there = e.state;
  whitened.restore(theta, there);
  EXPECT_LT((there.views[0].W.col(0) - 2 * e.state.views[0].W.col(0)).norm(), 1e-12);
  EXPECT_LT((there.views[0].W.col(1) - e.state.views[0].W.col(1)).norm(), 1e-12);
  const SpectralComponent &now = there.views[0].mixture.of(0), &before = e.state.views[0].mixture.of(0);
  EXPECT_NEAR(now.mean(0), 2 * before.mean(0), 1e-12);
  EXPECT_NEAR(now.L(0, 0), 2 * before.L(0, 0), 1e-12);
  EXPECT_NEAR(now.L(1, 1), before.L(1, 1), 1e-12);
}

}  // namespace
}  // namespace bochner::whitened_test
