#include "bochner/simulate/regression.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace bochner::regression_test {
namespace {

const Threads one(1);

TEST(Regression, OneInputIsSortedAndTwoInputsFillTheBox) {
  const SimulatedRegression line = simulate_regression(Rbf{.ell = Vector::Ones(1)}, {}, Rng(1), one);
  ASSERT_EQ(line.X.rows(), 200);
  ASSERT_EQ(line.X.cols(), 1);
  EXPECT_TRUE(std::is_sorted(line.X.data(), line.X.data() + 200));
  const SimulatedRegression plane =
      simulate_regression(Rbf{.ell = Vector::Ones(2)},
                          {.N = 300, .D = 2, .P = 3, .low = 1, .high = 2, .sorted = false}, Rng(1), one);
  EXPECT_EQ(plane.F.cols(), 3);
  EXPECT_GE(plane.X.minCoeff(), 1);
  EXPECT_LE(plane.X.maxCoeff(), 2);
  for (Index d = 0; d < 2; ++d) EXPECT_NEAR(plane.X.col(d).mean(), 1.5, 4 * std::sqrt(1 / (12.0 * 300)));
  EXPECT_FALSE(std::is_sorted(plane.X.col(0).begin(), plane.X.col(0).end()));
}

TEST(Regression, FunctionsHaveTheKernelsCovarianceAndMeasurementsTheNoise) {
  const Rbf kernel{.ell = Vector{{0.8, 2}}, .sigma2 = 1.5};
  const SimulatedRegression s =
      simulate_regression(kernel, {.N = 12, .D = 2, .P = 30'000, .noise_variance = 0.4}, Rng(2), one);
  const Matrix K = gram(kernel, s.X, one);
  for (Index i = 0; i < 12; ++i)
    for (Index j = 0; j <= i; ++j) {
      const double f_se = std::sqrt((K(i, i) * K(j, j) + K(i, j) * K(i, j)) / 30'000);
      EXPECT_NEAR(s.F.row(i).dot(s.F.row(j)) / 30'000, K(i, j), 4.5 * f_se);  // 78 pairs
    }
  EXPECT_EQ(s.noise_variance, 0.4);
  const double n = 12 * 30'000.0;
  EXPECT_NEAR((s.Y - s.F).squaredNorm() / n, 0.4, 4 * 0.4 * std::sqrt(2 / n));
}

TEST(Regression, BadOptions) {
  const Rbf kernel{.ell = Vector::Ones(1)};
  EXPECT_THROW(simulate_regression(kernel, {.N = 0}, Rng(1), one), std::exception);
  EXPECT_THROW(simulate_regression(kernel, {.low = 2, .high = 1}, Rng(1), one), std::domain_error);
  EXPECT_THROW(simulate_regression(kernel, {.D = 2}, Rng(1), one), std::invalid_argument);
  EXPECT_THROW(simulate_regression(kernel, {.noise_variance = -1}, Rng(1), one), std::domain_error);
}

}  // namespace
}  // namespace bochner::regression_test
