#include "bochner/features/polynomial_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bochner/core/errors.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/kernels/gram.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::polynomial_features_test {
namespace {

double choose(Index n, Index k) {
  double out = 1;
  for (Index i = 1; i <= k; ++i) out = out * double(n - k + i) / double(i);
  return std::round(out);
}

class PolynomialDegrees : public ::testing::TestWithParam<std::pair<Index, int>> {};

TEST_P(PolynomialDegrees, InnerProductsAreTheKernel) {
  const auto [D, degree] = GetParam();
  const Polynomial kernel{.weight = Vector::LinSpaced(D, 0.4, 1.7), .offset = 0.6, .degree = degree};
  const auto map = PolynomialFeatures<double>::from(kernel);
  EXPECT_EQ(map.input_dims(), D);
  EXPECT_EQ(double(map.count()), choose(D + degree, degree));
  const Threads threads(1);
  const Matrix X = Rng(1).normal(12, D), Z = Rng(2).normal(9, D);
  const Matrix K = gram(kernel, X, Z, threads);
  const Matrix product = feature_matrix(map, X, threads) * feature_matrix(map, Z, threads).transpose();
  // a sum of terms of both signs: measured against what is summed
  const Matrix size = gram(kernel, Matrix(X.cwiseAbs()), Matrix(Z.cwiseAbs()), threads);
  EXPECT_LT((product - K).cwiseQuotient(size).cwiseAbs().maxCoeff(), 1e-13);
}

TEST_P(PolynomialDegrees, HasEachMultisetOnce) {
  const auto [D, degree] = GetParam();
  const auto map =
      PolynomialFeatures<double>::from({.weight = Vector::Ones(D), .offset = 1, .degree = degree});
  ASSERT_EQ(map.entries.cols(), degree);
  std::set<std::vector<int>> seen;
  for (Index f = 0; f < map.count(); ++f) {
    const std::vector<int> entry(map.entries.row(f).begin(), map.entries.row(f).end());
    EXPECT_TRUE(std::is_sorted(entry.begin(), entry.end()));
    EXPECT_GE(entry.front(), 0);
    EXPECT_LE(entry.back(), D);
    EXPECT_TRUE(seen.insert(entry).second) << "feature " << f << " comes twice";
  }
}

INSTANTIATE_TEST_SUITE_P(Degrees, PolynomialDegrees,
                         ::testing::Values(std::pair{1, 1}, std::pair{4, 1}, std::pair{1, 5}, std::pair{2, 2},
                                           std::pair{3, 3}, std::pair{5, 4}, std::pair{2, 7}));

TEST(PolynomialFeatures, AreTheTermsOfTheSquare) {
  // (2 x_1 y_1 + 3 x_2 y_2 + 5)^2 written out
  const auto map = PolynomialFeatures<double>::from({.weight = Vector{{2, 3}}, .offset = 5, .degree = 2});
  const double x = 0.7, y = -1.1;
  const Matrix Phi = feature_matrix(map, Matrix{{x, y}}, Threads(1));
  std::vector<double> got(Phi.data(), Phi.data() + Phi.size()),
      expected{5, std::sqrt(20.0) * x, std::sqrt(30.0) * y, 2 * x * x, 3 * y * y, std::sqrt(12.0) * x * y};
  std::sort(got.begin(), got.end());
  std::sort(expected.begin(), expected.end());
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], 1e-14) << i;
}

TEST(PolynomialFeatures, TooManyAreRefused) {
  const auto make = [](Index D, int degree) {
    return PolynomialFeatures<double>::from({.weight = Vector::Ones(D), .offset = 1, .degree = degree});
  };
  EXPECT_EQ(make(445, 2).count(), 99'681);       // 447 * 446 / 2
  EXPECT_THROW(make(446, 2), InputError);        // 100,128
  EXPECT_THROW(make(100, 10), InputError);       // 4.7e13
  EXPECT_THROW(make(100'000, 100), InputError);  // beyond any integer
}

}  // namespace
}  // namespace bochner::polynomial_features_test
