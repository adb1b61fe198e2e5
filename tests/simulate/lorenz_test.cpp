#include "bochner/simulate/lorenz.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::lorenz_test {
namespace {

// Reference values: the recursion written in numpy.
TEST(Lorenz, PathAgreesWithNumpy) {
  const Matrix P = lorenz_path();
  ASSERT_EQ(P.rows(), 500);
  EXPECT_EQ(P.row(0).transpose(), (Vector{{0, 1, 1.05}}));
  EXPECT_LT((P.row(2).transpose() - Vector{{0.189, 1.0070780035, 0.995729853345}}).norm(), 1e-14);
  EXPECT_LT(
      (P.row(100).transpose() - Vector{{-3.5765291497280756, -4.098002591570712, 20.34537967077362}}).norm(),
      1e-10);
  EXPECT_LT(
      (P.row(499).transpose() - Vector{{-8.437190052075092, -10.761567868240656, 23.488848600896564}}).norm(),
      1e-8);  // chaos: rounding grows about a hundredfold over the path
}

TEST(Lorenz, LatentsAreCentredAndScaledAndFunctionsAreStandardisedTanh) {
  const Simulated s = simulate_lorenz(Rng(1));
  ASSERT_EQ(s.X.rows(), 500);
  ASSERT_EQ(s.truth.at(0).F.cols(), 50);
  EXPECT_LT((s.X.row(1).transpose() - Vector{{0.15255318060906808, 0.14833436485905038, -0.7890519778323883}})
                .norm(),
            1e-9);  // numpy
  EXPECT_LT(s.X.colwise().mean().cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_EQ(s.X.cwiseAbs().maxCoeff(), 1);
  const Matrix& F = s.truth[0].F;
  EXPECT_LT(F.colwise().mean().cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((F.colwise().squaredNorm().array() / 500 - 1).abs().maxCoeff(), 1e-12);
  // The documented weights: F is tanh(X W) up to an affine map per column.
  const Matrix W = Rng(1).split("weights").normal(3, 50);
  const Matrix T = (s.X * W).array().tanh();
  for (Index m = 0; m < 50; ++m) {
    const Vector centred = T.col(m).array() - T.col(m).mean();
    EXPECT_NEAR(F.col(m).dot(centred) / (F.col(m).norm() * centred.norm()), 1, 1e-12);
  }
  EXPECT_EQ(s.t(0), -1);
  EXPECT_EQ(s.t(499), 1);
}

TEST(Lorenz, NoiseHasTheVarianceAsked) {
  const Simulated s = simulate_lorenz(Rng(2), {.noise_variance = 0.3});
  EXPECT_EQ(s.truth[0].noise_variance, 0.3);
  const Matrix E = s.truth[0].Y - s.truth[0].F;
  const double n = static_cast<double>(E.size());
  EXPECT_NEAR(E.sum() / n, 0, 4 * std::sqrt(0.3 / n));
  EXPECT_NEAR(E.squaredNorm() / n, 0.3, 4 * 0.3 * std::sqrt(2 / n));
  EXPECT_EQ(s.data.view("lorenz").Y, s.truth[0].Y);
}

TEST(Lorenz, RefusesWhatCannotBe) {
  EXPECT_THROW(lorenz_path({.dt = 0}), std::domain_error);
  EXPECT_THROW(lorenz_path({.dt = 10}), std::exception);  // the Euler map runs away
  EXPECT_THROW(lorenz_path({.start = Vector::Ones(2)}), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::lorenz_test
