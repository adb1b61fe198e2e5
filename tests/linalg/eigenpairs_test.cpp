#include "bochner/linalg/eigenpairs.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::eigenpairs_test {
namespace {

Matrix example(Index n) {  // an RBF Gram matrix: fast decay, many eigenvalues near zero
  const Matrix X = Rng(1).normal(n, 2);
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) K(i, j) = std::exp(-0.5 * (X.row(i) - X.row(j)).squaredNorm());
  return K;
}

class EigenSizes : public ::testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(EigenSizes, AgreeWithTheFullDecomposition) {
  const auto [n, s] = GetParam();
  const Threads threads{2};
  const Matrix A = example(n);
  const Eigenpairs top = top_eigenpairs(A, s, {}, threads);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> full{Eigen::MatrixXd(A)};
  EXPECT_LT((top.values - full.eigenvalues().tail(s).reverse()).norm(), 1e-10 * top.values.norm());
  EXPECT_LT((A * top.vectors - top.vectors * top.values.asDiagonal()).norm(), 1e-9 * top.values(0));
  EXPECT_LT((top.vectors.transpose() * top.vectors - Matrix::Identity(s, s)).norm(), 1e-10);
  for (Index j = 0; j < s; ++j) {
    Index largest = 0;
    top.vectors.col(j).cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(top.vectors(largest, j), 0);
  }
  for (const int count : {1, 7}) EXPECT_EQ(top.vectors, top_eigenpairs(A, s, {}, Threads(count)).vectors);
}

TEST(Eigenpairs, OfAMatrixOfRankOne) {
  // Squared distances of points on a line, centred: what is left after the first pair is rounding.
  for (const Index n : {150, 400, 500}) {
    Vector x = Rng(2).normal(n);
    x.array() -= x.mean();
    Matrix D(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) D(i, j) = (x(i) - x(j)) * (x(i) - x(j));
    const Vector mean = D.rowwise().mean();
    Matrix A = -0.5 * ((D.colwise() - mean).rowwise() - mean.transpose());
    A.array() -= 0.5 * mean.mean();
    for (const double tolerance : {1e-8, 1e-10}) {
      const Eigenpairs top = top_eigenpairs(A, 2, {.tolerance = tolerance}, Threads(1));
      EXPECT_NEAR(top.values(0), x.squaredNorm(), 1e-8 * x.squaredNorm());
      EXPECT_NEAR(top.values(1), 0, 1e-8 * x.squaredNorm());
      EXPECT_NEAR(std::abs(top.vectors.col(0).dot(x)), x.norm(), 1e-8 * x.norm());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, EigenSizes,
                         ::testing::Values(std::pair{1, 1}, std::pair{20, 5}, std::pair{300, 4},
                                           std::pair{300, 20}, std::pair{150, 120}));

TEST(Eigenpairs, OperatorIsNeverFormed) {
  const Index n = 400;
  const Vector d = Vector::LinSpaced(n, 1, double(n));  // diag(1 .. n)
  const auto apply = [&](VectorIn x, VectorOut y) { y = d.cwiseProduct(x); };
  const Eigenpairs top = top_eigenpairs(apply, n, 3, {});
  EXPECT_LT((top.values - Vector{{400, 399, 398}}).norm(), 1e-8);
}

TEST(Eigenpairs, RefuseAndReport) {
  const Threads threads{1};
  EXPECT_THROW(top_eigenpairs(Matrix::Zero(3, 2), 1, {}, threads), std::invalid_argument);
  EXPECT_THROW(top_eigenpairs(Matrix::Identity(3, 3), 4, {}, threads), std::invalid_argument);
  EXPECT_THROW(top_eigenpairs(Matrix::Constant(3, 3, std::nan("")), 1, {}, threads), std::domain_error);
  EXPECT_THROW(top_eigenpairs(example(300), 10, {.tolerance = 1e-15, .max_iterations = 1}, threads),
               NumericalError);
}

}  // namespace
}  // namespace bochner::eigenpairs_test
