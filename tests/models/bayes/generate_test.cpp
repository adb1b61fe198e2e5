#include <gtest/gtest.h>

#include <string>

#include "bochner/models/bayes/fit.hpp"
#include "bochner/models/bayes/names.hpp"
#include "tests/support/goodness_of_fit.hpp"

// Generated measurements against what predict() says of the samples of the fit, of which they are copies with noise.
namespace bochner::generate_test {
namespace {

using namespace testing;

constexpr Index N = 3, Q = 2, L = 4, S = 5, count = 40'000;

/// A model of one view with random functions, those of every draw different.
BayesFit model_of(BayesLikelihood likelihood) {
  Rng rng(7);
  BayesViewFit view{.name = "y", .columns = {"a", "b"}, .likelihood = likelihood, .trials = 12, .total = 30};
  Index J = 2;
  if (likelihood == BayesLikelihood::categorical) {
    view.classes = {2, 3};
    view.class_names = {{"n", "y"}, {"u", "v", "w"}};
    J = 5;
  }
  view.scaling =
      fit_scaling(Matrix{{1.0, 50.0}, {3.0, 90.0}},
                  likelihood == BayesLikelihood::gaussian ? ScalingKind::standardise : ScalingKind::none);
  BayesFit fit;
  for (Index s = 0; s < S; ++s) {
    fit.X.push_back(rng.normal(N, Q));
    view.draws.push_back({rng.normal(L, Q), 0.7 * rng.normal(2 * L + 1, J), Vector::Constant(J, 1.5)});
  }
  fit.ids.assign(N, "s");
  fit.views = {view};
  return fit;
}

class BayesGenerate : public ::testing::TestWithParam<BayesLikelihood> {};

TEST_P(BayesGenerate, HasTheMomentsOfThePredictiveDistribution) {
  const BayesFit fit = model_of(GetParam());
  const Matrix Y = sample_measurements(fit, count, Rng(3)).front();
  ASSERT_EQ(Y.rows(), count);
  ASSERT_EQ(Y.cols(), 2);
  const BayesPrediction p = predict(fit.views.front(), fit.X, {}, {}, Rng(1), Threads(1));
  if (GetParam() == BayesLikelihood::categorical) {
    for (Index m = 0, first = 0; m < 2; first += fit.views.front().classes[static_cast<std::size_t>(m++)]) {
      const Index C = fit.views.front().classes[static_cast<std::size_t>(m)];
      std::vector<double> counts(static_cast<std::size_t>(C)), expected;
      for (const double y : Y.col(m)) ++counts.at(static_cast<std::size_t>(y));
      for (Index c = 0; c < C; ++c) expected.push_back(p.mean.col(first + c).mean());
      expect_counts(counts, expected);
    }
    return;
  }
  for (Index j = 0; j < 2; ++j) {
    const double mean = p.mean.col(j).mean();
    expect_moments(Y.col(j), mean,
                   (p.y_variance.col(j).array() + p.mean.col(j).array().square()).mean() - mean * mean);
  }
}

INSTANTIATE_TEST_SUITE_P(Likelihoods, BayesGenerate,
                         ::testing::Values(BayesLikelihood::gaussian, BayesLikelihood::poisson,
                                           BayesLikelihood::negbinom, BayesLikelihood::binomial,
                                           BayesLikelihood::bernoulli, BayesLikelihood::multinomial,
                                           BayesLikelihood::categorical),
                         [](const auto& example) { return to_text(example.param); });

TEST(BayesGenerate, EntriesOfAMultinomialRowShareItsSize) {
  const BayesFit fit = model_of(BayesLikelihood::multinomial);
  const Matrix Y = sample_measurements(fit, count, Rng(4)).front();
  expect_moments(Y.rowwise().sum(), 30, 30 * 31);  // a geometric total, whatever the shares
}

TEST(BayesGenerate, RowsDoNotDependOnHowManyFollow) {
  const BayesFit fit = model_of(BayesLikelihood::poisson);
  EXPECT_EQ(sample_measurements(fit, 9, Rng(5)).front().topRows(4),
            sample_measurements(fit, 4, Rng(5)).front());
  EXPECT_THROW(sample_measurements(fit, 0, Rng(5)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::generate_test
