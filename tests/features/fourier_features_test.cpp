#include "bochner/features/fourier_features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/features/feature_stream.hpp"
#include "bochner/kernels/spectral_mixture.hpp"
#include "map_examples.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::fourier_features_test {
namespace {

using namespace testing;

/// Phi entry by entry with std::cos and std::sin.
Matrix slow_features(const FourierFeatures<double>& f, const Matrix& X) {
  const Index J = f.amplitude.size();
  Matrix Phi(X.rows(), 2 * J);
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < J; ++j) {
      const double a1 = X.row(i).dot(f.Omega1.row(j));
      Phi(i, j) = f.amplitude(j) * std::cos(a1);
      Phi(i, J + j) = f.amplitude(j) * std::sin(a1);
      if (!f.paired()) continue;
      const double a2 = X.row(i).dot(f.Omega2.row(j));
      Phi(i, j) += f.amplitude(j) * std::cos(a2);
      Phi(i, J + j) += f.amplitude(j) * std::sin(a2);
    }
  return Phi;
}

/// The adjoints entry by entry, from the angles.
FeaturePullback<FourierFeatures<double>> slow_pullback(const FourierFeatures<double>& f, const Matrix& X,
                                                       const Matrix& W) {
  const Index J = f.amplitude.size();
  FeaturePullback<FourierFeatures<double>> out{Matrix::Zero(X.rows(), X.cols()), f.zero_gradient()};
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < J; ++j)
      for (const bool second : {false, true}) {
        if (second && !f.paired()) continue;
        const auto omega = second ? f.Omega2.row(j) : f.Omega1.row(j);
        const double a = X.row(i).dot(omega), c = std::cos(a), s = std::sin(a);
        const double da = f.amplitude(j) * (W(i, J + j) * c - W(i, j) * s);
        out.dX.row(i) += da * omega;
        (second ? out.gradient.Omega2 : out.gradient.Omega1).row(j) += da * X.row(i);
        out.gradient.amplitude(j) += W(i, j) * c + W(i, J + j) * s;
      }
  return out;
}

FourierFeatures<double> example(Index J, Index D, bool paired) {
  Rng rng(std::uint64_t(10 * J + D));
  return {3 * rng.normal(J, D), 3 * rng.normal(paired ? J : 0, D), rng.normal(J)};
}

TEST(FourierFeatures, MatchDirectSums) {
  for (const bool paired : {false, true})
    for (const Index D : {1, 2, 9}) {
      const FourierFeatures<double> f = example(23, D, paired);
      const Matrix X = Rng(3).normal(41, D), W = Rng(4).normal(41, 46);
      const Matrix Phi = feature_matrix(f, X, Threads(1));
      EXPECT_EQ(f.count(), 46);
      EXPECT_LT((Phi - slow_features(f, X)).cwiseAbs().maxCoeff(), 1e-13) << paired << D;
      const auto back = feature_pullback(f, X, Phi, W, Threads(1)), slow = slow_pullback(f, X, W);
      EXPECT_LT(relative_difference(flat(back.dX), flat(slow.dX)), 1e-13);
      EXPECT_LT(relative_difference(flat(back.gradient.Omega1), flat(slow.gradient.Omega1)), 1e-13);
      EXPECT_EQ(back.gradient.paired(), paired);
      EXPECT_LT(relative_difference(flat(back.gradient.Omega2), flat(slow.gradient.Omega2)), 1e-13);
      EXPECT_LT(relative_difference(back.gradient.amplitude, slow.gradient.amplitude), 1e-13);
    }
}

TEST(FourierFeatures, PullsBackThroughOneFrequencyEach) {
  using E = Example<FourierFeatures<double>>;  // the shared tests run on pairs
  const FourierFeatures<double> f = example(5, 2, false);
  const Matrix X = Rng(3).normal(6, 2), W = Rng(4).normal(6, 10);
  const auto back = feature_pullback(f, X, feature_matrix(f, X, Threads(1)), W, Threads(1));
  const auto loss = [&](const FourierFeatures<double>& g, const Matrix& x) {
    return feature_matrix(g, x, Threads(1)).cwiseProduct(W).sum();
  };
  expect_gradient([&](const Vector& theta) { return loss(E::with(f, theta), X); }, E::made_of(f),
                  E::flat(back.gradient));
  expect_gradient([&](const Vector& x) { return loss(f, unflat(x, 6, 2)); }, flat(X), flat(back.dX));
}

// With half the difference of the angles at pi / 2 the features vanish, but not their derivatives: tan(b) times a
// vanishing Phi must come out right in every block that a row may be part of.
TEST(FourierFeatures, PairsThatCancelStillHaveTheirGradient) {
  const Index J = 20;
  FourierFeatures<double> f = example(J, 2, true);
  Rng rng(5);
  Matrix X = rng.normal(33, 2);
  X.col(0).setOnes();
  f.Omega2 = f.Omega1;
  for (Index j = 0; j < J; ++j)
    f.Omega2(j, 0) -= pi * (1 + std::pow(10.0, -double(j)));  // b = pi/2 (1 + 10^-j)
  const Matrix W = rng.normal(33, 2 * J);
  const Matrix Phi = feature_matrix(f, X, Threads(1));
  EXPECT_LT(Phi.col(J - 1).norm(), 1e-14 * std::abs(f.amplitude(J - 1)) * 33);
  const auto slow = slow_pullback(f, X, W);
  for (const Index block : {1, 8, 33}) {
    const auto back = feature_pullback(f, X, Phi, W, Threads(1), block);
    EXPECT_LT((back.gradient.Omega1 - slow.gradient.Omega1).cwiseAbs().maxCoeff(), 1e-12) << block;
    EXPECT_LT((back.gradient.Omega2 - slow.gradient.Omega2).cwiseAbs().maxCoeff(), 1e-12) << block;
    EXPECT_LT((back.dX - slow.dX).cwiseAbs().maxCoeff(), 1e-12) << block;
  }
}

TEST(FourierFeatures, FloatPairsThatCancelStillHaveTheirGradient) {
  Rng rng(6);
  const Index J = 64, N = 500;
  const FourierFeatures<double> f = example(J, 2, true);
  const FourierFeatures<float> single{f.Omega1.cast<float>(), f.Omega2.cast<float>(),
                                      f.amplitude.cast<float>()};
  const MatrixT<float> X = rng.normal(N, 2).cast<float>(), W = rng.normal(N, 2 * J).cast<float>();
  const MatrixT<float> Phi = feature_matrix(single, X, Threads(1));
  // The same float frequencies and inputs in double: what is left is the rounding of the arithmetic.
  const FourierFeatures<double> exact{single.Omega1.cast<double>(), single.Omega2.cast<double>(),
                                      single.amplitude.cast<double>()};
  const auto slow = slow_pullback(exact, X.cast<double>(), W.cast<double>());
  for (const Index block : {7, 64, 500}) {  // blocks other than those that fill worked on
    const auto back = feature_pullback(single, X, Phi, W, Threads(1), block);
    EXPECT_LT(relative_difference(flat(back.gradient.Omega1), flat(slow.gradient.Omega1)), 3e-6) << block;
    EXPECT_LT(relative_difference(flat(back.dX.cast<double>()), flat(slow.dX)), 3e-6) << block;
  }
}

TEST(FourierFeatures, VanishingAmplitudesKeepTheirGradient) {
  for (const bool paired : {false, true}) {
    FourierFeatures<double> f = example(6, 2, paired);
    f.amplitude(1) = 0;
    f.amplitude(4) = 1e-200;
    const Matrix X = Rng(3).normal(9, 2), W = Rng(4).normal(9, 12);
    const auto back = feature_pullback(f, X, feature_matrix(f, X, Threads(1)), W, Threads(1));
    EXPECT_LT(relative_difference(back.gradient.amplitude, slow_pullback(f, X, W).gradient.amplitude), 1e-13);
  }
}

// Prop. 4.2 of [li2024]: the stack over components of the features of each, scaled by the root of its weight.
TEST(FourierFeatures, OfAMixtureAreTheWeightedStackOfItsComponents) {
  const SpectralMixture k{.alpha = Vector{{0.8, 0.5}},
                          .mu = Matrix{{1.2, -0.6}, {0.3, 2.0}},
                          .sd = Matrix{{0.5, 0.9}, {1.1, 0.3}}};
  Rng rng(7);
  const Index L = 4, N = 5;
  const SpectralNoise noise = k.draw_noise(L, Directions::independent, rng);
  const Matrix X = Rng(8).normal(N, 2);
  const Matrix Phi = feature_matrix(FourierFeatures<double>::from(k.frequencies(noise)), X, Threads(1));
  Matrix stacked_gram = Matrix::Zero(N, N);
  for (Index r = 0; r < 2; ++r) {
    Matrix block(N, 2 * L);  // sqrt(alpha_r) sqrt(1 / L) [cos, sin] of omega = mu_r + sd_r o eps
    for (Index i = 0; i < N; ++i)
      for (Index l = 0; l < L; ++l) {
        double a = 0;
        for (Index d = 0; d < 2; ++d) a += X(i, d) * (k.mu(r, d) + k.sd(r, d) * noise.E1(r * L + l, d));
        block(i, l) = std::sqrt(k.alpha(r)) * std::sqrt(1.0 / L) * std::cos(a);
        block(i, L + l) = std::sqrt(k.alpha(r)) * std::sqrt(1.0 / L) * std::sin(a);
      }
    EXPECT_LT((Phi.middleCols(r * L, L) - block.leftCols(L)).cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_LT((Phi.middleCols((2 + r) * L, L) - block.rightCols(L)).cwiseAbs().maxCoeff(), 1e-14);
    stacked_gram += block * block.transpose();
  }
  EXPECT_LT((Phi * Phi.transpose() - stacked_gram).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(FourierFeatures, RefuseFrequenciesThatDoNotFit) {
  Frequencies f{Matrix::Zero(3, 2), Matrix::Zero(2, 2), Vector::Ones(3)};
  EXPECT_THROW(FourierFeatures<double>::from(f), std::invalid_argument);
  f = {Matrix::Zero(3, 2), Matrix(0, 0), Vector::Ones(2)};
  EXPECT_THROW(FourierFeatures<double>::from(f), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::fourier_features_test
