#include "src/models/gplvm/column_noise.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

#include "bochner/kernels/make_kernel.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::column_noise_test {
namespace {

constexpr double nu = 4, tau = 3;  // of the priors

/// A column at known latents: with Z = X the features are the rows of L, K = L L'.
struct Column {
  Eigen::MatrixXd K;
  Eigen::VectorXd y;
  Vector lambda, squared;

  Column(Index N, double noise, double amplitude, std::uint64_t seed) {
    const AnyKernel kernel = make_kernel("rbf", 2, Rng(3));
    K = gram(kernel, Rng(seed).normal(N, 2), Threads(1));
    K.diagonal().array() += 1e-8;
    const Eigen::MatrixXd L = K.llt().matrixL();
    y = std::sqrt(amplitude) * L * Rng(seed + 1).normal(N) + std::sqrt(noise) * Rng(seed + 2).normal(N);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> e(L.transpose() * L);
    lambda = e.eigenvalues();
    squared = (e.eigenvectors().transpose() * (L.transpose() * y)).cwiseAbs2();
  }
  ColumnEvidence evidence() const { return {lambda, squared, lambda, y.squaredNorm(), double(y.size())}; }

  /// -2 log N(y | 0, amplitude K + noise I) and of the prior of the noise, up to the same constant.
  double dense(double noise, double amplitude, double common) const {
    Eigen::MatrixXd S = amplitude * K;
    S.diagonal().array() += noise;
    const Eigen::LLT<Eigen::MatrixXd> llt(S);
    return 2 * Eigen::MatrixXd(llt.matrixL()).diagonal().array().log().sum() + y.dot(llt.solve(y)) +
           nu * (std::log(noise) + common / noise);
  }
};

TEST(GplvmColumnNoise, CriterionIsTheMarginalLikelihood) {
  const Column c(30, 0.2, 0.7, 11);
  for (const double ratio : {0.01, 0.3, 5.0}) {
    double value = 0;
    const ColumnScale s = column_at(c.evidence(), 0.1, ratio, value);
    EXPECT_NEAR(s.ratio(), ratio, 1e-12 * ratio);
    const double dense = c.dense(s.noise, s.amplitude, 0.1);
    EXPECT_NEAR(value, dense + std::pow(std::log(s.amplitude) / tau, 2), 1e-7 * std::abs(dense));
    for (const double f : {0.98, 1.02})  // the noise is the best one for this ratio
      EXPECT_GT(c.dense(f * s.noise, f * s.amplitude, 0.1), dense) << ratio;
  }
}

TEST(GplvmColumnNoise, LearnsTheMinimum) {
  for (const double noise : {0.02, 0.5}) {
    const Column c(60, noise, 1, 21);
    const ColumnScale s = learn_column(c.evidence(), 0.1);
    double best = 0;
    column_at(c.evidence(), 0.1, s.ratio(), best);
    for (double t = std::log(1e-6); t < std::log(100.0); t += 0.02) {
      double other = 0;
      column_at(c.evidence(), 0.1, std::exp(t), other);
      EXPECT_GE(other, best - 1e-6) << std::exp(t);
    }
  }
}

// A new entry of a column of n normal entries, less their mean, over their sd, is Student's t with n - 1 degrees of freedom times
// sqrt((n + 1) / (n - 1)): the ends of its 90 % interval, over those of the normal, squared.
TEST(GplvmColumnNoise, SeldomMeasuredColumnsHaveTheVarianceOfStudentsT) {
  const ColumnScale one{.noise = 0.3, .amplitude = 0.7};
  struct Known {
    double n, quantile;  // of t at 0.95 with n - 1 degrees of freedom
  };
  for (const Known& k : {Known{3, 2.919986}, {5, 2.131847}, {10, 1.833113}, {25, 1.710882}}) {
    const double t = k.quantile / 1.644854, exact = t * t * (k.n + 1) / (k.n - 1) - 1;
    EXPECT_NEAR(seldom_measured_variance(one, 1, k.n, 1000, true), exact, 0.05 * (1 + exact)) << k.n;
    EXPECT_NEAR(seldom_measured_variance(one, 1, k.n, 1000, false), 1 / k.n, 1e-12);
  }
  EXPECT_EQ(seldom_measured_variance(one, 1, 30, 1000, true), 0);
  EXPECT_EQ(seldom_measured_variance(one, 1, 10, 15, true), 0);  // as many as others
}

TEST(GplvmColumnNoise, FindsNoiseAndAmplitude) {
  double log_noise = 0, log_amplitude = 0;
  constexpr int columns = 20;
  for (int i = 0; i < columns; ++i) {
    const ColumnScale s =
        learn_column(Column(150, 0.3, 0.2, 100 + 10 * static_cast<std::uint64_t>(i)).evidence(), 0.1);
    log_noise += std::log(s.noise / 0.3) / columns;
    log_amplitude += std::log(s.amplitude / 0.2) / columns;
  }
  EXPECT_NEAR(log_noise, 0, 0.1);  // sd of one column 0.12
  EXPECT_NEAR(log_amplitude, 0, 0.4);
  // a column that does not depend on the latent has no function
  const ColumnScale junk = learn_column(Column(150, 1, 1e-12, 77).evidence(), 0.1);
  EXPECT_NEAR(junk.noise, 1, 0.3);
  EXPECT_LT(junk.amplitude, 0.1);
}

TEST(GplvmColumnNoise, FewSamplesDoNotGiveTinyNoise) {
  Column c(5, 1e-12, 1, 31);
  EXPECT_GT(learn_column(c.evidence(), 0.1).noise, nu * 0.1 / 9.001);
  c.y.setZero();
  c.squared.setZero();
  const ColumnScale s = learn_column(c.evidence(), 0.1);
  EXPECT_NEAR(s.noise, nu * 0.1 / 9, 1e-9);
  EXPECT_TRUE(std::isfinite(s.amplitude) && s.amplitude > 0);
}

// Probabilistic principal components with known loadings: the posterior of x is Gaussian and exact for the common noise,
// the first column has another.
TEST(GplvmColumnNoise, LatentsTakeUpNoise) {
  constexpr Index N = 20000, M = 7, Q = 3;
  constexpr double common = 0.2;
  const Eigen::MatrixXd W = Rng(1).normal(M, Q);
  for (const double noise : {common, 3 * common, 0.4 * common}) {
    Eigen::MatrixXd Y = Rng(2).normal(N, Q) * W.transpose();
    Vector sd = Vector::Constant(M, std::sqrt(common));
    sd(0) = std::sqrt(noise);
    Y += Rng(3).normal(N, M) * sd.asDiagonal();
    const Eigen::MatrixXd P = Eigen::MatrixXd::Identity(Q, Q) + W.transpose() * W / common, V = P.inverse();
    const double spread = W.row(0) * V * W.row(0).transpose(), h = spread / common;
    ASSERT_GT(h, 0.2);
    ASSERT_LT(h, 0.8);
    const Vector r = Y.col(0) - Y * W * V * W.row(0).transpose() / common;
    const double factor = latent_factor(r.cwiseAbs2(), Vector::Constant(N, spread), common);
    const double expected = r.squaredNorm() / N + spread;  // what the evidence rests on
    EXPECT_NEAR(factor * expected * (1 - h), noise, 0.05 * common + 0.04 * noise) << noise;
  }
}

TEST(GplvmColumnNoise, KnownLatentsTakeUpNothing) {
  const Vector r2 = Rng(5).normal(500).cwiseAbs2();
  EXPECT_NEAR(latent_factor(r2, Vector::Zero(500), 0.3), 1, 1e-12);
  // a column that the latents follow entirely leaves something finite
  const double all = latent_factor(Vector::Zero(50), Vector::Constant(50, 10), 0.3);
  EXPECT_TRUE(std::isfinite(all) && all > 0);
}

}  // namespace
}  // namespace bochner::column_noise_test
