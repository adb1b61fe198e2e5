#include "bochner/models/bayes/relevance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

// Sixteen samples on a grid 0, 1, 2, 3 in both dimensions and frequencies of a quarter turn: cosines and sines along the two
// dimensions are 1, 0 or -1, of mean 0 and mean square 1/2, and not correlated, so that variances add up.
namespace bochner::bayes_relevance_test {
namespace {

constexpr Index N = 16, Q = 2;
constexpr double quarter = std::numbers::pi / 2;

Matrix grid() {
  Matrix X(N, Q);
  for (Index n = 0; n < N; ++n) X.row(n) << double(n / 4), double(n % 4);
  return X;
}

/// Weights (5 x J) of cos 1, cos 2, sin 1, sin 2 and the intercept, for functions that are sums of these.
Matrix weights(Matrix of_waves) {
  of_waves.topRows(4) *= std::sqrt(2.0);  // two frequencies: features are divided by sqrt 2
  return of_waves;
}

/// a = 2 cos 1 + cos 2 + 1, b = 3 sin 2: variances of 2 and 1/2, and of 9/2.
Matrix two_columns() { return weights(Matrix{{2, 0}, {1, 0}, {0, 0}, {0, 3}, {1, 0}}); }

/// One view with these functions, in one draw `1 + apart` times as large and in the other `1 - apart` times.
BayesFit model_of(BayesLikelihood likelihood, const Matrix& B, double apart) {
  BayesFit fit;
  const Matrix W = quarter * Matrix::Identity(Q, Q);
  BayesViewFit view{.name = "y", .columns = {"a", "b"}, .likelihood = likelihood, .scaling = {}, .draws = {}};
  view.scaling = fit_scaling(Matrix::Zero(2, 2), ScalingKind::none);
  for (const double sign : {1.0, -1.0}) {
    fit.X.push_back(grid().array() + 2 - 2 * sign);  // a whole turn further is the same place
    view.draws.push_back({W, (1 + sign * apart) * B, Vector::Ones(B.cols())});
  }
  fit.latent = {grid(), Matrix::Ones(N, Q)};
  fit.views = {view};
  return fit;
}

Dataset data_of(Matrix Y) {
  View view = make_view("y", std::move(Y));
  view.columns = {"a", "b"};
  return join({view});
}

TEST(BayesRelevance, IsThatOfTheMeanOverDrawsForNumbers) {
  const BayesFit fit = model_of(BayesLikelihood::gaussian, two_columns(), 0.5);
  const Matrix X = grid();
  const Eigen::ArrayXd x1 = quarter * X.col(0).array(), x2 = quarter * X.col(1).array();
  Matrix Y(N, 2);
  Y.col(0) = 2 * x1.cos() + x2.cos() + 1 + x1.sin();  // the last is noise: a mean square of 1/2
  Y.col(1) = 3 * x2.sin();
  const Relevance r = relevance(fit, data_of(Y), Threads(1));
  ASSERT_EQ(r.by_column.size(), 1U);
  EXPECT_NEAR(r.by_column[0](0, 0), 2 / 3.0, 1e-12);
  EXPECT_NEAR(r.by_column[0](0, 1), 0.5 / 3.0, 1e-12);
  EXPECT_NEAR(r.by_column[0](1, 0), 0, 1e-12);
  EXPECT_NEAR(r.by_column[0](1, 1), 1, 1e-12);
  EXPECT_NEAR(r.by_view(0, 0), 2 / 7.5, 1e-12);  // of 3 + 9/2
  EXPECT_NEAR(r.by_view(0, 1), 5 / 7.5, 1e-12);
  EXPECT_NEAR(r.explained(0), 7 / 7.5, 1e-12);

  const Relevance more = relevance(fit, data_of(Y), Threads(3));
  EXPECT_EQ(more.by_view, r.by_view);
  EXPECT_EQ(more.by_column[0], r.by_column[0]);
  EXPECT_THROW(relevance(fit, data_of(Y.topRows(3)), Threads(1)), std::invalid_argument);
}

TEST(BayesRelevance, IsThatOfTheFunctionsForCounts) {
  const BayesFit fit = model_of(BayesLikelihood::poisson, two_columns(), 0.5);
  EXPECT_FALSE(explains_entries(fit.views[0]));
  // The intercept of column a, 1, is 1.5 and 0.5 in the two draws as well: not known by 1/4, and f - 1 by (2 + 1/2) / 4.
  const double unknown_a = 0.25 * (2.5 + 1), unknown_b = 0.25 * 4.5;
  const Relevance r = relevance(fit, data_of(Matrix::Zero(N, 2)), Threads(1));
  const double total_a = 2.5 + unknown_a, total_b = 4.5 + unknown_b;
  EXPECT_NEAR(r.by_column[0](0, 0), 2 / total_a, 1e-12);
  EXPECT_NEAR(r.by_column[0](0, 1), 0.5 / total_a, 1e-12);
  EXPECT_NEAR(r.by_column[0](1, 1), 4.5 / total_b, 1e-12);
  EXPECT_NEAR(r.by_view(0, 0), 2 / (total_a + total_b), 1e-12);
  EXPECT_NEAR(r.by_view(0, 1), 5 / (total_a + total_b), 1e-12);
  EXPECT_NEAR(r.explained(0), 7 / (total_a + total_b), 1e-12);

  // Measured at x_1 = 0 alone, where the first dimension does not vary: its average, 0, is off by 2 cos 0 all the same.
  Matrix Y = Matrix::Zero(N, 2);
  Y.col(0).tail(N - 4).setConstant(std::nan(""));
  Y.col(1).setConstant(std::nan(""));
  const Relevance few = relevance(fit, data_of(Y), Threads(1));
  const double total = 0.5 + 0.25 * (9 + 0.5);  // of cos 2; draws are apart by half of 3 + cos 2
  EXPECT_NEAR(few.explained(0), 0.5 / total, 1e-12);
  EXPECT_NEAR(few.by_column[0](0, 1), 0.5 / total, 1e-12);
  EXPECT_NEAR(few.by_column[0](0, 0), 0.5 / total, 1e-12);  // no more than all that is explained
  EXPECT_EQ(few.by_column[0].row(1), Eigen::RowVectorXd::Zero(Q));
}

TEST(BayesRelevance, LeavesOutWhatTheFunctionsOfALabelShare) {
  // Label a: 2 cos 1 and 2 cos 2, or +-(cos 1 - cos 2) without their mean; label b: +-3 sin 2.
  BayesFit fit =
      model_of(BayesLikelihood::categorical,
               weights(Matrix{{2, 0, 0, 0}, {0, 2, 0, 0}, {0, 0, 0, 0}, {0, 0, 6, 0}, {0, 0, 0, 0}}), 0);
  fit.views[0].classes = {2, 2};
  fit.views[0].draws[1].B.row(4).leftCols(2).setConstant(5);  // in one draw: no difference
  const Relevance r = relevance(fit, data_of(Matrix::Zero(N, 2)), Threads(1));
  ASSERT_EQ(r.by_column[0].rows(), 2);
  EXPECT_NEAR(r.explained(0), 1, 1e-12);
  EXPECT_NEAR(r.by_column[0](0, 0), 0.5, 1e-12);
  EXPECT_NEAR(r.by_column[0](0, 1), 0.5, 1e-12);
  EXPECT_NEAR(r.by_column[0](1, 1), 1, 1e-12);
  EXPECT_NEAR(r.by_view(0, 0), 1 / 11.0, 1e-12);  // 2 (1/2) of 2 (1/2 + 1/2) + 2 (9/2)
}

}  // namespace
}  // namespace bochner::bayes_relevance_test
