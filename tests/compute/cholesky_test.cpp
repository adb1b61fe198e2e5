#include "bochner/compute/cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::cholesky_test {
namespace {

Matrix positive_definite(Index n, std::uint64_t seed) {
  const Matrix A = Rng(seed).normal(n, n + 5);
  return A * A.transpose() / double(n);
}

class CholeskySizes : public ::testing::TestWithParam<Index> {};

TEST_P(CholeskySizes, FactorSolvesAndInverts) {
  const Index n = GetParam();
  const Threads threads{2};
  const Matrix A = positive_definite(n, 1), B = Rng(2).normal(n, 3);
  const CholeskyFactor factor = cholesky(A, {}, threads);
  EXPECT_EQ(factor.jitter, 0);
  EXPECT_LT((factor.L * factor.L.transpose() - A).norm(), 1e-13 * double(n) * A.norm());
  EXPECT_EQ(Matrix(factor.L.triangularView<Eigen::StrictlyUpper>()).norm(), 0);
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(A);
  const Matrix X = lu.solve(B), Ainv = lu.inverse();
  const double condition = A.norm() * Ainv.norm();
  EXPECT_LT((solve(factor, B, threads) - X).norm(), 1e-14 * condition * X.norm());
  EXPECT_LT((inverse(factor, threads) - Ainv).norm(), 1e-14 * condition * Ainv.norm());
  EXPECT_EQ(inverse(factor, threads), inverse(factor, threads).transpose());
  EXPECT_LT((factor.L * solve_lower(factor, B, threads) - B).norm(), 1e-11 * B.norm());
  EXPECT_LT((factor.L.transpose() * solve_lower_transposed(factor, B, threads) - B).norm(), 1e-11 * B.norm());
  double log_det = 0;
  for (Index i = 0; i < n; ++i) log_det += std::log(std::abs(lu.matrixLU()(i, i)));
  EXPECT_NEAR(log_determinant(factor), log_det, 1e-9 * double(n));
}

TEST_P(CholeskySizes, CongruenceAndFactorOfTheInverse) {
  const Index n = GetParam();
  const Threads threads{2};
  const Matrix A = positive_definite(n, 4);
  const CholeskyFactor factor = cholesky(A, {}, threads);
  const Matrix X = Rng(5).normal(n, n), H = X + X.transpose();  // indefinite
  Matrix lower = H;
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
  const Matrix D = congruence_solve(factor, lower, threads);
  EXPECT_EQ(D, Matrix(D.transpose()));
  const double condition = A.norm() * inverse(factor, threads).norm();
  EXPECT_LT((factor.L.transpose() * D * factor.L - H).norm(), 1e-13 * condition * H.norm());
  const Matrix F = cholesky_of_inverse(A, {}, threads);
  EXPECT_EQ(Matrix(F.triangularView<Eigen::StrictlyUpper>()).norm(), 0);
  EXPECT_TRUE((F.diagonal().array() > 0).all());
  EXPECT_LT((F * F.transpose() * A - Matrix::Identity(n, n)).norm(),
            1e-13 * condition * std::sqrt(double(n)));
}

TEST_P(CholeskySizes, SameBytesForAnyNumberOfThreads) {
  const Matrix A = positive_definite(GetParam(), 3);
  const CholeskyFactor one = cholesky(A, {}, Threads(1));
  for (const int count : {2, 7}) {
    const Threads threads(count);
    EXPECT_EQ(one.L, cholesky(A, {}, threads).L);
    EXPECT_EQ(inverse(one, Threads(1)), inverse(one, threads));
    EXPECT_EQ(congruence_solve(one, A, Threads(1)), congruence_solve(one, A, threads));
  }
}

// 128 and 256 are edges of the blocked algorithm
INSTANTIATE_TEST_SUITE_P(Sizes, CholeskySizes, ::testing::Values(1, 2, 37, 128, 256, 257, 300, 577));

TEST(Cholesky, ReadsTheLowerTriangleOnly) {
  Matrix A = positive_definite(300, 4), noisy = A;
  noisy.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));
  const Threads threads{2};
  EXPECT_EQ(cholesky(A, {}, threads).L, cholesky(noisy, {}, threads).L);
}

TEST(Cholesky, RecordsTheJitterASingularMatrixNeeds) {
  const Threads threads{1};
  const Matrix A = Matrix::Ones(20, 20);  // rank one
  const CholeskyFactor factor = cholesky(A, {}, threads);
  EXPECT_GT(factor.jitter, 0);
  EXPECT_LE(factor.jitter, 1e-6);
  const Matrix repaired = A + factor.jitter * Matrix::Identity(20, 20);
  EXPECT_LT((factor.L * factor.L.transpose() - repaired).norm(), 1e-12);
}

std::string failure(const Matrix& A) {
  try {
    cholesky(A, {.what = "the Gram matrix of view 'rna'"}, Threads(1));
  } catch (const NumericalError& error) {
    return error.what();
  }
  return "";
}

TEST(Cholesky, ErrorNamesTheMatrixAndTheCause) {
  Matrix A = Matrix::Identity(4, 4);
  A(2, 1) = std::numeric_limits<double>::infinity();
  EXPECT_NE(failure(A).find("view 'rna' has the entry inf in row 2, column 1"), std::string::npos)
      << failure(A);
  A = Matrix::Identity(4, 4);
  A(3, 3) = -1;
  EXPECT_NE(failure(A).find("diagonal entry -1 in row 3"), std::string::npos) << failure(A);
  A = Matrix::Identity(4, 4);
  A(1, 0) = A(0, 1) = 2;
  EXPECT_NE(failure(A).find("not positive definite"), std::string::npos) << failure(A);
}

TEST(Cholesky, PullbackAgreesWithDifferences) {
  const Threads threads{1};
  const Index n = 5;
  const Matrix A = positive_definite(n, 5), W = Rng(6).normal(n, n).triangularView<Eigen::Lower>();
  const auto f = [&](const Vector& v) {
    const Matrix S = testing::unflat(v, n, n);
    return cholesky(0.5 * (S + S.transpose()), {}, threads).L.cwiseProduct(W).sum();
  };
  const Matrix dA = cholesky_pullback(cholesky(A, {}, threads), W, threads);
  testing::expect_gradient(f, testing::flat(A), testing::flat(dA), 1e-7);
}

}  // namespace
}  // namespace bochner::cholesky_test
