#include "bochner/kernels/spectral_mixture.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "block_checks.hpp"
#include "bochner/kernels/rbf.hpp"

namespace bochner::spectral_mixture_test {
namespace {

using namespace testing;

static_assert(SpectralKernel<SpectralMixture>);

SpectralMixture example(Index R, Index D) {
  Rng rng(std::uint64_t(100 * R + D));
  return {.alpha = (0.3 * rng.normal(R)).array().exp(),
          .mu = rng.normal(R, D),
          .sd = (0.3 * rng.normal(R, D)).array().exp()};
}

const SpectralMixture two{
    .alpha = Vector{{0.8, 0.5}}, .mu = Matrix{{1.2, -0.6}, {0.3, 2.0}}, .sd = Matrix{{0.5, 0.9}, {1.1, 0.3}}};
const Vector x{{0.7, -0.4}}, y{{-0.2, 0.9}};

// Gauss-Hermite quadrature (80 x 80 nodes, numpy) of cos(omega'(x - y)) over omega ~ N(mu_r, diag(sd_r)^2).
TEST(SpectralMixture, IsTheTransformOfItsMixture) { EXPECT_NEAR(two(x, y), -0.2993900569289688, 1e-14); }

TEST(SpectralMixture, WithoutFrequenciesIsRbf) {
  const Rbf rbf{.ell = Vector{{2.0, 0.8}}, .sigma2 = 1.7};
  const SpectralMixture k{.alpha = Vector{{1.7}}, .mu = Matrix::Zero(1, 2), .sd = Matrix{{0.5, 1.25}}};
  const Matrix X = Rng(1).normal(20, 2);
  EXPECT_LT((block_gram(k, X, X) - slow_gram(rbf, X, X)).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(SpectralMixture, ParametersGoThereAndBack) {
  const Vector theta = two.parameters();
  ASSERT_EQ(theta.size(), 10);
  EXPECT_EQ(two.parameter_names().size(), 10u);
  EXPECT_EQ(two.parameter_names()[3], "mu[1,2]");
  EXPECT_EQ(theta(3), two.mu(0, 1));
  EXPECT_EQ(two.parameter_names()[8], "log sd[2,1]");
  EXPECT_EQ(theta(8), std::log(two.sd(1, 0)));
  const SpectralMixture back = two.with_parameters(theta);
  EXPECT_LT((back.alpha - two.alpha).norm() + (back.mu - two.mu).norm() + (back.sd - two.sd).norm(), 1e-15);
}

TEST(SpectralMixture, GradientsOfAPair) {
  expect_pair_gradients(two, x, y);
  expect_pair_gradients(example(3, 4), Rng(1).normal(4), Rng(2).normal(4));
}

TEST(SpectralMixture, BlocksMatchPairs) {
  expect_blocks_match_pairs(two, Rng(1).normal(13, 2),
                            Rng(2).normal(301, 2));  // crosses a tile, ends unevenly
  expect_blocks_match_pairs(example(1, 1), Rng(1).normal(5, 1), Rng(2).normal(8, 1));
  expect_blocks_match_pairs(example(4, 3), Rng(1).normal(9, 3), Rng(2).normal(17, 3));
  expect_blocks_match_pairs(example(2, 7), 0.4 * Rng(1).normal(3, 7), 0.4 * Rng(2).normal(4, 7));
}

TEST(SpectralMixture, NothingInNothingOut) {
  Matrix none(0, 2), K(0, 5), Z = Rng(1).normal(5, 2), dX(0, 2), dZ = Matrix::Zero(5, 2);
  Vector dtheta = Vector::Zero(10);
  two.gram_block(none, Z, K);
  KernelAdjoint adjoint{dtheta, dX, dZ};
  two.pull_block(none, Z, K, K, adjoint);
  EXPECT_EQ(dtheta.norm() + dZ.norm(), 0);
}

TEST(SpectralMixture, FarFromTheOriginOnlyDifferencesCount) {
  // Multiples of 2^-10 near 2^20: the shifted inputs and their differences are exact.
  const Matrix X = (1024 * Rng(3).normal(12, 2)).array().round() / 1024;
  const Matrix far = X.array() + 1048576.0;
  EXPECT_LT((block_gram(two, far, far) - block_gram(two, X, X)).cwiseAbs().maxCoeff(), 1e-14);
  expect_blocks_match_pairs(two, far, far, 1e-9);
}

TEST(SpectralMixture, IsPositiveSemidefinite) {
  const Matrix X = Rng(7).normal(60, 3);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(
      Eigen::MatrixXd(block_gram(example(3, 3), X, X)));
  EXPECT_GT(eigen.eigenvalues().minCoeff(), -1e-10);
}

TEST(SpectralMixture, FrequenciesStackTheComponents) {
  Rng rng(4);
  const SpectralNoise noise = two.draw_noise(6, Directions::independent, rng);
  const Frequencies f = two.frequencies(noise);
  ASSERT_EQ(f.count(), 12);
  EXPECT_FALSE(f.paired());
  EXPECT_NEAR(f.Omega1(7, 1), 2.0 + 0.3 * noise.E1(7, 1), 1e-15);
  EXPECT_NEAR(f.amplitude(7), std::sqrt(0.5 / 6), 1e-15);
  EXPECT_NEAR(f.amplitude.squaredNorm(), two.alpha.sum(), 1e-14);  // k(x, x), for any draw
}

TEST(SpectralMixture, OrthogonalDirectionsAreOrthogonalWithinAComponent) {
  Rng rng(4);
  const Matrix E = example(2, 3).draw_noise(3, Directions::orthogonal, rng).E1;
  for (const Index first : {0, 3}) {
    const Matrix G = E.middleRows(first, 3) * E.middleRows(first, 3).transpose();
    const Matrix off = G - Matrix(G.diagonal().asDiagonal());
    EXPECT_LT(off.norm(), 1e-13);
  }
}

TEST(SpectralMixture, FrequenciesPullback) {
  expect_frequencies_pullback(two, Directions::independent);
  expect_frequencies_pullback(example(3, 3), Directions::orthogonal);
}

TEST(SpectralMixture, ShapesAreChecked) {
  SpectralMixture wrong = two;
  wrong.sd = Matrix::Ones(2, 3);
  Matrix K(2, 2);
  EXPECT_THROW(wrong.gram_block(Matrix::Zero(2, 2), Matrix::Zero(2, 2), K), std::invalid_argument);
  EXPECT_THROW(two.with_parameters(Vector::Zero(9)), std::invalid_argument);
  Rng rng(1);
  EXPECT_THROW(two.draw_noise(0, Directions::independent, rng), std::invalid_argument);
  EXPECT_THROW(two.frequencies({.E1 = Matrix::Zero(5, 2)}),
               std::invalid_argument);  // five rows for two components
  EXPECT_THROW(two.frequencies({.E1 = Matrix::Zero(4, 3)}), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::spectral_mixture_test
