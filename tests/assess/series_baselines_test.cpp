#include "bochner/assess/series_baselines.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/random/rng.hpp"

namespace bochner::series_baselines_test {
namespace {

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

TEST(SeriesBaselines, LinearAutoregressionIsLeastSquares) {
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
  EXPECT_NEAR(linear_autoregression(z, 0, 1)(0, 0), b.mean() + slope * (z(79, 0) - a.mean()), 1e-10);
}

}  // namespace
}  // namespace bochner::series_baselines_test
