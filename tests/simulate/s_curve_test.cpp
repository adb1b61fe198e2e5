#include "bochner/simulate/s_curve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bochner::s_curve_test {
namespace {

// Reference: sklearn.datasets.make_s_curve(5, random_state=3), middle coordinate deleted, divided by
// np.std(axis=0).
TEST(SCurve, PointsAgreeWithScikitLearn) {
  const Vector t{
      {0.4787589526381693, 1.9617470111932485, -1.9706764083946016, 0.10204777483484637, 3.7034377950872273}};
  const Matrix expected{{0.6930147502397344, -0.0986555912501797},
                        {1.3908300905624513, -1.211836683684407},
                        {-1.3856558997254886, 1.2190672898360722},
                        {0.1532478867208363, -0.004564879745375015},
                        {-0.8014331546507049, -1.6200380925166935}};
  EXPECT_LT((s_curve_points(t) - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(SCurve, PositionsAreUniformAndSortedOnRequest) {
  const SCurve sorted = s_curve(Rng(4), {.N = 5000}),
               as_drawn = s_curve(Rng(4), {.N = 5000, .sorted = false});
  EXPECT_TRUE(std::is_sorted(sorted.t.begin(), sorted.t.end()));
  EXPECT_FALSE(std::is_sorted(as_drawn.t.begin(), as_drawn.t.end()));
  Vector resorted = as_drawn.t;
  std::sort(resorted.begin(), resorted.end());
  EXPECT_EQ(resorted, sorted.t);
  // Kolmogorov-Smirnov against U(-3 pi / 2, 3 pi / 2): sqrt(N) D stays below 2.2 except once in 8000 seeds.
  double distance = 0;
  for (Index n = 0; n < 5000; ++n) {
    const double u = sorted.t(n) / (3 * pi) + 0.5;
    distance = std::max({distance, double(n + 1) / 5000 - u, u - double(n) / 5000});
  }
  EXPECT_LT(distance * std::sqrt(5000.0), 2.2);
  for (Index q = 0; q < 2; ++q)
    EXPECT_NEAR((sorted.X.col(q).array() - sorted.X.col(q).mean()).square().mean(), 1, 1e-12);
  EXPECT_EQ(s_curve_points(as_drawn.t), as_drawn.X);
}

TEST(SCurve, SeedsDifferAndRepeat) {
  EXPECT_EQ(s_curve(Rng(4)).X, s_curve(Rng(4)).X);
  EXPECT_NE(s_curve(Rng(4)).X, s_curve(Rng(5)).X);
  EXPECT_EQ(s_curve(Rng(4)).X.rows(), 500);
  EXPECT_THROW(s_curve(Rng(4), {.N = 1}), std::exception);
}

}  // namespace
}  // namespace bochner::s_curve_test
