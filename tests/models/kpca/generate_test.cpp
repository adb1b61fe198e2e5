#include <gtest/gtest.h>

#include <cmath>

#include "examples.hpp"
#include "tests/support/goodness_of_fit.hpp"

namespace bochner::generate_test {
namespace {

using namespace testing;

constexpr Index n = 90, s = 3;

const KpcaFit& fitted() {
  static const KpcaFit made =
      fit_kpca(tables(three_tables(1, n)), {.dims = s, .view = {.kernel = "linear"}}, 1, Threads(1));
  return made;
}

TEST(KpcaGenerate, TraversesOneComponent) {
  const KpcaFit& fit = fitted();
  const double sd = 1 / std::sqrt(double(n));  // H is orthonormal and centred
  for (Index c = 0; c < s; ++c) {
    const Matrix h = traverse(fit, c, 9, 2.5);
    ASSERT_EQ(h.rows(), 9);
    ASSERT_EQ(h.cols(), s);
    for (Index k = 0; k < 9; ++k)
      for (Index j = 0; j < s; ++j)
        EXPECT_NEAR(h(k, j), j == c ? 2.5 * sd * (double(k) / 4 - 1) : 0.0, 1e-12) << k << j;
  }
}

TEST(KpcaGenerate, TraversingALinearModelDrawsALine) {
  const KpcaFit& fit = fitted();
  const Matrix h = traverse(fit, 1, 5, 2), Y = predict_view(fit, 0, h, {}, Threads(1));
  EXPECT_LT(largest(Y.row(2) - three_tables(1, n)[0].colwise().mean()), 1e-9);  // the middle is the mean
  EXPECT_LT(largest(Y.row(0) - 2 * Y.row(1) + Y.row(2)), 1e-9);
  EXPECT_LT(largest(Y.row(4) + Y.row(0) - 2 * Y.row(2)), 1e-9);
  EXPECT_GT((Y.row(4) - Y.row(0)).norm(), 0.1);
}

TEST(KpcaGenerate, TraverseChecksItsArguments) {
  EXPECT_THROW(traverse(fitted(), s, 5, 2), std::domain_error);
  EXPECT_THROW(traverse(fitted(), -1, 5, 2), std::domain_error);
  EXPECT_THROW(traverse(fitted(), 0, 1, 2), std::invalid_argument);
  EXPECT_THROW(traverse(fitted(), 0, 5, std::nan("")), std::domain_error);
}

TEST(KpcaGenerate, SamplesHaveTheMomentsOfASmoothedSample) {
  const KpcaFit& fit = fitted();
  const Matrix h = sample_components(fit, 40'000, Rng(3));
  ASSERT_EQ(h.rows(), 40'000);
  for (Index j = 0; j < s; ++j) expect_moments(h.col(j), 0, 1.0 / double(n));  // shrunk: variances stay
  for (Index j = 0; j < s; ++j)
    for (Index k = 0; k < j; ++k) {
      const Vector product = h.col(j).cwiseProduct(h.col(k));
      const double se = std::sqrt((product.array() - product.mean()).square().mean() / 40'000);
      EXPECT_NEAR(product.mean(), 0, 4 * se) << j << k;
    }
  // Silverman in s dimensions: noise of factor sd, so that third moments, which come from rows of H alone, shrink
  const double factor = std::pow(4 / ((double(s) + 2) * double(n)), 1 / (double(s) + 4));
  const double shrunk = std::pow(1 + factor * factor, -1.5);
  for (Index j = 0; j < s; ++j) {
    const Vector cube = (std::sqrt(double(n)) * h.col(j)).array().cube();
    const double se = std::sqrt((cube.array() - cube.mean()).square().mean() / 40'000);
    const double third = (std::sqrt(double(n)) * fit.H.col(j)).array().cube().mean();
    EXPECT_NEAR(cube.mean(), shrunk * third, 4 * se) << j;
  }
  // and the distance to the nearest row of shrunk H is that of the noise: never zero, seldom beyond 4 of its sd
  const double scale = 1 / std::sqrt(1 + factor * factor), sd = scale * factor / std::sqrt(double(n));
  for (Index i = 0; i < 200; ++i) {
    const double nearest = (scale * fit.H - h.row(i).replicate(n, 1)).rowwise().norm().minCoeff();
    EXPECT_GT(nearest, 1e-4 * sd);
    EXPECT_LT(nearest, std::sqrt(double(s)) * 4 * sd);
  }
}

TEST(KpcaGenerate, SamplesRepeatAndDiffer) {
  const KpcaFit& fit = fitted();
  EXPECT_EQ(sample_components(fit, 20, Rng(4)), sample_components(fit, 20, Rng(4)));
  EXPECT_NE(sample_components(fit, 20, Rng(4)), sample_components(fit, 20, Rng(5)));
  EXPECT_EQ(sample_components(fit, 20, Rng(4)).topRows(5), sample_components(fit, 5, Rng(4)));
  EXPECT_THROW(sample_components(fit, 0, Rng(4)), std::invalid_argument);
}

TEST(KpcaGenerate, SamplesLookLikeTheTables) {
  const std::vector<Matrix> Y = three_tables(1, n);
  const Matrix y = predict_view(fitted(), 0, sample_components(fitted(), 4000, Rng(6)), {}, Threads(1));
  for (Index m = 0; m < 4; ++m) {
    const double sd = std::sqrt((Y[0].col(m).array() - Y[0].col(m).mean()).square().mean());
    EXPECT_NEAR(y.col(m).mean(), Y[0].col(m).mean(), 0.1 * sd) << m;
    EXPECT_NEAR(std::sqrt((y.col(m).array() - y.col(m).mean()).square().mean()), sd, 0.1 * sd) << m;
  }
}

}  // namespace
}  // namespace bochner::generate_test
