#include "bochner/linalg/low_rank.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace bochner::low_rank_test {
namespace {

TEST(LowRank, SvdFindsAnExactlyLowRankMatrix) {
  const Threads threads{2};
  const Matrix A = Rng(1).normal(80, 4) * Rng(2).normal(4, 50);
  const LowRankSvd svd = randomized_svd(A, 4, {}, Rng(3), threads);
  EXPECT_LT((svd.U * svd.values.asDiagonal() * svd.V.transpose() - A).norm(), 1e-11 * A.norm());
  EXPECT_LT((svd.U.transpose() * svd.U - Matrix::Identity(4, 4)).norm(), 1e-11);
  EXPECT_LT((svd.V.transpose() * svd.V - Matrix::Identity(4, 4)).norm(), 1e-11);
}

TEST(LowRank, SvdIsCloseToTheBestOfItsRank) {
  const Threads threads{2};
  Matrix A = Rng(4).normal(200, 60);
  for (Index j = 0; j < 60; ++j) A.col(j) *= std::pow(0.8, double(j));
  const LowRankSvd svd = randomized_svd(A, 10, {}, Rng(5), threads);
  const Eigen::JacobiSVD<Eigen::MatrixXd> full{Eigen::MatrixXd(A)};
  EXPECT_LT((svd.values - full.singularValues().head(10)).norm(), 1e-3 * full.singularValues()(0));
  const double best = full.singularValues().tail(50).norm();
  EXPECT_LT((svd.U * svd.values.asDiagonal() * svd.V.transpose() - A).norm(), 1.02 * best);
}

TEST(LowRank, PsdFactorIsExactAtFullRankAndBelowTheMatrix) {
  const Threads threads{2};
  const Matrix R = Rng(6).normal(50, 6), A = R * R.transpose();
  const Matrix B = randomized_psd_factor(A, 6, {}, Rng(7), threads);
  EXPECT_LT((B * B.transpose() - A).norm(), 1e-9 * A.norm());
  const Matrix C = randomized_psd_factor(A, 3, {}, Rng(7), threads);
  EXPECT_EQ(C.cols(), 3);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> rest(A - C * C.transpose());
  EXPECT_GT(rest.eigenvalues()(0), -1e-9 * A.norm());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> full{Eigen::MatrixXd(A)};
  EXPECT_LT((A - C * C.transpose()).norm(), 1.01 * full.eigenvalues().head(47).norm() + 1e-9 * A.norm());
}

TEST(LowRank, ZeroAndTinyMatrices) {
  const Threads threads{1};
  EXPECT_EQ(randomized_psd_factor(Matrix::Zero(5, 5), 2, {}, Rng(1), threads), Matrix::Zero(5, 2));
  const Matrix A = Matrix::Constant(1, 1, 4.0);
  EXPECT_NEAR(std::abs(randomized_psd_factor(A, 3, {}, Rng(1), threads)(0, 0)), 2.0, 1e-12);
  EXPECT_NEAR(randomized_svd(A, 3, {}, Rng(1), threads).values(0), 4.0, 1e-12);
}

TEST(LowRank, SameBytesForAnyNumberOfThreads) {
  const Matrix A = Rng(8).normal(600, 40);
  const LowRankSvd one = randomized_svd(A, 5, {}, Rng(9), Threads(1));
  for (const int count : {2, 7}) EXPECT_EQ(one.V, randomized_svd(A, 5, {}, Rng(9), Threads(count)).V);
}

}  // namespace
}  // namespace bochner::low_rank_test
