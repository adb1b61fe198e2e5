#include "bochner/assess/series_baselines.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "bochner/data/lags.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::series_baselines_test {
namespace {

TEST(SeriesBaselines, TheMeanIsOfWhatWasMeasured) {
  Matrix y(4, 2);
  y << 1, 7, std::nan(""), 7, 3, 7, 5, 7;
  const Matrix f = mean_forecast(y, 3);
  ASSERT_EQ(f.rows(), 3);
  for (Index t = 0; t < 3; ++t) EXPECT_EQ(f.row(t), (Eigen::RowVector2d(3, 7)));
}

TEST(SeriesBaselines, SeasonalNaiveRepeatsTheLastSeason) {
  Matrix y(10, 2);
  for (Index t = 0; t < 10; ++t) y.row(t) << double(t % 3), double(t);
  const Matrix f = seasonal_naive(y, 3, 5);
  EXPECT_EQ(f.col(0), (Vector{{1, 2, 0, 1, 2}}));
  EXPECT_EQ(f.col(1), (Vector{{7, 8, 9, 7, 8}}));
  EXPECT_EQ(seasonal_naive(y, 1, 2).row(1), y.row(9));
  y(9, 1) = std::nan("");  // a gap holds the last value before it
  EXPECT_EQ(seasonal_naive(y, 1, 1)(0, 1), 8);
}

TEST(SeriesBaselines, TheSeasonIsFound) {
  Matrix y(300, 1);
  Rng rng(1);
  for (Index t = 0; t < 300; ++t) y(t, 0) = std::sin(2 * pi * double(t) / 24) + 0.3 * rng.normal();
  EXPECT_EQ(find_season(y) % 24, 0);
  Matrix trend(50, 1);
  for (Index t = 0; t < 50; ++t) trend(t, 0) = double(t);
  EXPECT_EQ(find_season(trend), 1);  // the last value again
}

TEST(SeriesBaselines, LinearAutoregressionIsLeastSquaresWhereThatIsBest) {
  Matrix sines(500, 1);
  for (Index t = 0; t < 500; ++t) sines(t, 0) = std::sin(0.3 * double(t)) + 0.5 * std::sin(0.11 * double(t));
  const Matrix f = linear_autoregression(sines.topRows(400), 5, 100);
  EXPECT_LT((f - sines.bottomRows(100)).cwiseAbs().maxCoeff(), 1e-6);  // exact for sines
  // One step of AR(1) by hand
  Rng rng(2);
  Matrix z(80, 1);
  for (Index t = 0; t < 80; ++t) z(t, 0) = std::sin(0.4 * double(t)) + 0.2 * rng.normal();
  const Vector a = z.col(0).head(79), b = z.col(0).tail(79);
  const double slope = (a.array() - a.mean()).matrix().dot((b.array() - b.mean()).matrix()) /
                       (a.array() - a.mean()).matrix().squaredNorm();
  // The penalty of one slope among 79 times is next to nothing.
  EXPECT_NEAR(linear_autoregression(z, 0, 1)(0, 0), b.mean() + slope * (z(79, 0) - a.mean()), 0.01);
}

TEST(SeriesBaselines, LinearAutoregressionHasThePenaltyOfCrossValidation) {
  constexpr Index lags = 7;
  Rng rng(4);
  Matrix y(60, 2);
  for (Index t = 0; t < 60; ++t) y.row(t) << std::sin(0.4 * double(t)) + rng.normal(), rng.normal();
  const LagTable table = lag_table(y, lags);
  const Vector past = table.past.colwise().mean(), next = table.next.colwise().mean();
  const Eigen::MatrixXd X = table.past.rowwise() - past.transpose(),
                        Y = table.next.rowwise() - next.transpose();
  const Eigen::MatrixXd C = X.transpose() * X, one = Eigen::MatrixXd::Identity(C.rows(), C.cols());
  const double largest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(C).eigenvalues().maxCoeff();
  double least = std::numeric_limits<double>::infinity(), penalty = 0;
  Eigen::MatrixXd B;
  for (double exponent = -14; exponent <= 2; exponent += 0.5) {
    const double c = std::pow(10, exponent) * largest;
    const Eigen::MatrixXd S = (C + c * one).ldlt().solve(X.transpose());
    const double freedom = double(X.rows()) - 1 - (X * S).trace();
    const double error = (Y - X * S * Y).squaredNorm() / (freedom * freedom);
    if (error < least) least = error, penalty = exponent, B = S * Y;
  }
  EXPECT_GT(penalty, -3);  // neither least squares
  EXPECT_LT(penalty, 2);   // nor the mean
  const Matrix expected = (window_at(y, lags, 59).row(0) - past.transpose()) * B + next.transpose();
  EXPECT_LT((linear_autoregression(y, lags, 1) - expected).norm(), 1e-9);
}

// Noise about a constant with nearly as many lags as times: least squares fits the noise, ridge regression hardly.
TEST(SeriesBaselines, LinearAutoregressionDoesNotFitNoise) {
  double squares = 0;
  constexpr int repeats = 20;
  for (int i = 0; i < repeats; ++i) {
    const Matrix y = Rng(std::uint64_t(i)).normal(90, 1);
    squares += linear_autoregression(y, 39, 10).squaredNorm() / (10 * repeats);
  }
  EXPECT_LT(squares, 0.25);  // of least squares above 1
}

TEST(SeriesBaselines, ExponentialSmoothingFollowsLevelTrendAndSeason) {
  Rng rng(3);
  Matrix y(240, 3);
  for (Index t = 0; t < 240; ++t)
    y.row(t) << 5 + 0.3 * rng.normal(), 0.2 * double(t), 3 * std::sin(2 * pi * double(t) / 12);
  const Matrix level = exponential_smoothing(y.leftCols(1), 1, 4);
  EXPECT_NEAR(level(0, 0), 5, 0.15);
  EXPECT_NEAR(level(0, 0), level(3, 0), 0.02);  // hardly a trend
  const Matrix trend = exponential_smoothing(y.col(1), 1, 5);
  for (Index t = 0; t < 5; ++t) EXPECT_NEAR(trend(t, 0), 0.2 * double(240 + t), 0.4) << t;  // damped
  const Matrix season = exponential_smoothing(y.col(2), 12, 24);
  for (Index t = 0; t < 24; ++t) EXPECT_NEAR(season(t, 0), 3 * std::sin(2 * pi * double(t) / 12), 0.05) << t;
  y(239, 0) = y(100, 0) = std::nan("");  // gaps
  EXPECT_NEAR(exponential_smoothing(y.leftCols(1), 1, 1)(0, 0), 5, 0.15);
  EXPECT_EQ(exponential_smoothing(Matrix::Constant(1, 1, 7), 0, 2), Matrix::Constant(2, 1, 7));
}

}  // namespace
}  // namespace bochner::series_baselines_test
