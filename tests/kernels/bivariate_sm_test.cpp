#include "bochner/kernels/bivariate_sm.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "block_checks.hpp"

namespace bochner::bivariate_sm_test {
namespace {

using namespace testing;

static_assert(Kernel<BivariateSm>);
static_assert(!SpectralKernel<BivariateSm>);

BivariateSm example(Index R, Index D) {
  Rng rng(std::uint64_t(100 * R + D));
  return {.alpha = (0.3 * rng.normal(R)).array().exp(),
          .mu1 = rng.normal(R, D),
          .mu2 = rng.normal(R, D),
          .sd = (0.3 * rng.normal(R, D)).array().exp(),
          .rho = 0.5 + 0.4 * rng.normal(R).array().tanh()};
}

const BivariateSm two{.alpha = Vector{{0.8, 0.5}},
                      .mu1 = Matrix{{1.2, -0.6}, {0.3, 2.0}},
                      .mu2 = Matrix{{0.9, 0.4}, {-0.5, 1.4}},
                      .sd = Matrix{{0.5, 0.9}, {1.1, 0.3}},
                      .rho = Vector{{0.6, 0.35}}};
const Vector x{{0.7, -0.4}}, y{{-0.2, 0.9}};

// Gauss-Hermite quadrature (80 x 80 nodes per dimension, numpy) of e^{i (w1'x - w2'y)} over the average of
// the eight Gaussians of [yang2025, Eq. 19], with variances sd^2 in their covariance.
TEST(BivariateSm, IsTheTransformOfEightGaussians) { EXPECT_NEAR(two(x, y), -0.04180912631922808, 1e-14); }

TEST(BivariateSm, AtTheOriginIsTheSumOfWeights) {
  EXPECT_NEAR(two(Vector::Zero(2), Vector::Zero(2)), 1.3, 1e-15);
}

TEST(BivariateSm, ParametersGoThereAndBack) {
  const Vector theta = two.parameters();
  ASSERT_EQ(theta.size(), 16);
  const std::vector<std::string> names = two.parameter_names();
  ASSERT_EQ(names.size(), 16u);
  EXPECT_EQ(names[12], "log sd[2,1]");
  EXPECT_EQ(theta(12), std::log(1.1));
  EXPECT_EQ(names[15], "logit rho[2]");
  EXPECT_NEAR(theta(15), std::log(0.35 / 0.65), 1e-15);
  const BivariateSm back = two.with_parameters(theta);
  EXPECT_LT((back.alpha - two.alpha).norm() + (back.mu1 - two.mu1).norm() + (back.mu2 - two.mu2).norm() +
                (back.sd - two.sd).norm() + (back.rho - two.rho).norm(),
            1e-15);
}

TEST(BivariateSm, GradientsOfAPair) {
  expect_pair_gradients(two, x, y);
  expect_pair_gradients(two, x, x);
  expect_pair_gradients(example(3, 4), 0.5 * Rng(1).normal(4), 0.5 * Rng(2).normal(4));
}

TEST(BivariateSm, BlocksMatchPairs) {
  expect_blocks_match_pairs(two, Rng(1).normal(13, 2),
                            Rng(2).normal(301, 2));  // crosses a tile, ends unevenly
  expect_blocks_match_pairs(example(1, 1), Rng(1).normal(5, 1), Rng(2).normal(8, 1));
  expect_blocks_match_pairs(example(4, 3), Rng(1).normal(9, 3), Rng(2).normal(17, 3));
  expect_blocks_match_pairs(two, 1e4 * Rng(1).normal(3, 2), 1e4 * Rng(2).normal(3, 2), 1e-10);
}

double least_eigenvalue(BivariateSm k, double rho, const Matrix& X) {
  k.rho.setConstant(rho);
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(block_gram(k, X, X)))
      .eigenvalues()
      .minCoeff();
}

TEST(BivariateSm, IsPositiveSemidefiniteForNonNegativeRhoOnly) {
  const Matrix X = Rng(7).normal(60, 2);
  for (const double rho : {0.0, 0.3, 0.9, 0.999}) EXPECT_GT(least_eigenvalue(two, rho, X), -1e-10) << rho;
  for (const double rho : {-0.1, -0.5, -0.9}) EXPECT_LT(least_eigenvalue(two, rho, X), -1e-3) << rho;
}

TEST(BivariateSm, ShapesAreChecked) {
  BivariateSm wrong = two;
  wrong.rho = Vector::Zero(3);
  Matrix K(2, 2);
  EXPECT_THROW(wrong.gram_block(Matrix::Zero(2, 2), Matrix::Zero(2, 2), K), std::invalid_argument);
  EXPECT_THROW(two.with_parameters(Vector::Zero(9)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::bivariate_sm_test
