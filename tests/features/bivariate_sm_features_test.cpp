#include "bochner/features/bivariate_sm_features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/features/feature_stream.hpp"
#include "map_examples.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::bivariate_sm_features_test {
namespace {

using namespace testing;
using Features = BivariateSmFeatures<double>;

TEST(BivariateSmFeatures, AreUnbiased) {
  const BivariateSm k = example_bivariate_sm();
  const Matrix X{{0.3, -0.2, 0.5}, {0.9, 0.4, -0.3}, {-0.4, 0.8, 0.6}, {0.5, 0.6, 0.2}};
  const Index maps = 400;
  Rng rng(31);
  for (const Directions directions : {Directions::independent, Directions::orthogonal}) {
    Matrix products(maps, 3);
    for (Index b = 0; b < maps; ++b) {
      const Matrix Phi =
          feature_matrix(Features::from(k, Features::draw_noise(k, 60, directions, rng)), X, Threads(1));
      for (Index p = 0; p < 3; ++p) products(b, p) = Phi.row(p).dot(Phi.row(p + 1));
    }
    for (Index p = 0; p < 3; ++p) {
      const double mean = products.col(p).mean();
      const double se = std::sqrt((products.col(p).array() - mean).square().mean() / double(maps));
      EXPECT_NEAR(mean, k(X.row(p), X.row(p + 1)), 4 * se) << p;
      EXPECT_LT(se, 0.01);
    }
  }
}

TEST(BivariateSmFeatures, PullBackToTheParametersOfTheKernel) {
  const BivariateSm k = example_bivariate_sm();
  Rng rng(5);
  const SpectralNoise noise = Features::draw_noise(k, 4, Directions::orthogonal, rng);
  const Matrix X = Rng(1).normal(6, 3), W = Rng(2).normal(6, 16);
  const auto loss = [&](const Vector& theta) {
    return feature_matrix(Features::from(k.with_parameters(theta), noise), X, Threads(1))
        .cwiseProduct(W)
        .sum();
  };
  const Features map = Features::from(k, noise);
  const auto back = feature_pullback(map, X, feature_matrix(map, X, Threads(1)), W, Threads(1));
  expect_gradient(loss, k.parameters(), bivariate_sm_pullback(k, noise, back.gradient), 1e-8);
}

TEST(BivariateSmFeatures, RefuseANegativeCorrelation) {
  BivariateSm k = example_bivariate_sm();
  Rng rng(5);
  const SpectralNoise noise = Features::draw_noise(k, 4, Directions::independent, rng);
  k.rho(1) = -0.1;
  EXPECT_THROW(Features::from(k, noise), std::domain_error);
}

}  // namespace
}  // namespace bochner::bivariate_sm_features_test
