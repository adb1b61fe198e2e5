#include "bochner/linalg/pivoted_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <set>

#include "bochner/random/rng.hpp"

namespace bochner::pivoted_cholesky_test {
namespace {

std::vector<Index> pivots_of(const Matrix& A, Index max_rank, double tolerance) {
  return pivots(
      A.diagonal(), [&](Index i) -> Vector { return A.col(i); }, max_rank, tolerance);
}

/// The largest diagonal entry of A - A(:, p) A(p, p)^-1 A(p, :).
double unexplained(const Matrix& A, const std::vector<Index>& p) {
  const Eigen::MatrixXd cross = A(Eigen::all, p), inner = A(p, p);
  return (A - cross * inner.ldlt().solve(cross.transpose())).diagonal().maxCoeff();
}

TEST(PivotedCholesky, StopsAtTheRank) {
  const Matrix G = Rng(1).normal(40, 5), A = G * G.transpose();
  const std::vector<Index> p = pivots_of(A, 40, 1e-12);
  EXPECT_EQ(p.size(), 5u);
  EXPECT_LT(unexplained(A, p), 1e-10);
}

TEST(PivotedCholesky, TakesTheLargestResidualEachTime) {
  const Matrix X = Rng(2).normal(60, 2);
  Matrix A(60, 60);
  for (Index i = 0; i < 60; ++i)
    for (Index j = 0; j < 60; ++j) A(i, j) = std::exp(-0.5 * (X.row(i) - X.row(j)).squaredNorm());
  const std::vector<Index> p = pivots_of(A, 60, 1e-4);
  EXPECT_EQ(std::set<Index>(p.begin(), p.end()).size(), p.size());
  EXPECT_LE(unexplained(A, p), 1e-4 + 1e-9);
  for (std::size_t r = 2; r < p.size(); r += 4) {
    const std::vector<Index> head(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(r));
    const double before = unexplained(A, head);
    EXPECT_GT(before, 1e-4);
    Eigen::MatrixXd cross = A(Eigen::all, head), inner = A(head, head);
    const Eigen::MatrixXd rest = A - cross * inner.ldlt().solve(cross.transpose());
    EXPECT_NEAR(rest(p[r], p[r]), before, 1e-9);
  }
}

TEST(PivotedCholesky, KeepsToTheLimitAndSurvivesZero) {
  const Matrix G = Rng(3).normal(20, 20), A = G * G.transpose();
  EXPECT_EQ(pivots_of(A, 7, 0).size(), 7u);
  EXPECT_TRUE(pivots_of(Matrix::Zero(4, 4), 4, 0).empty());
  EXPECT_THROW(pivots_of(A, 0, 0), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::pivoted_cholesky_test
