#include "bochner/linalg/block_eigenpairs.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "bochner/core/errors.hpp"

namespace bochner::block_eigenpairs_test {
namespace {

/// An RBF Gram matrix: fast decay, many eigenvalues near zero.
Matrix gram_example(Index n) {
  const Matrix X = Rng(1).normal(n, 3);
  Matrix K(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) K(i, j) = std::exp(-0.25 * (X.row(i) - X.row(j)).squaredNorm());
  return K;
}

/// A symmetric matrix with these eigenvalues, in no special basis.
Matrix with_spectrum(const Vector& values, std::uint64_t seed) {
  const Eigen::MatrixXd Z = Rng(seed).normal(values.size(), values.size());
  const Eigen::MatrixXd Q = Eigen::HouseholderQR<Eigen::MatrixXd>(Z).householderQ();
  return Q * values.asDiagonal() * Q.transpose();
}

BlockOperator product_with(const Matrix& A) {
  return [&A](const Matrix& V) -> Matrix { return A * V; };
}

void expect_pairs(const Matrix& A, const Eigenpairs& top, double tolerance) {
  const Index s = top.values.size();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> full{Eigen::MatrixXd(A)};
  const double size = std::max(full.eigenvalues().cwiseAbs().maxCoeff(), 1e-300);
  ASSERT_EQ(top.vectors.cols(), s);
  EXPECT_LT((top.values - full.eigenvalues().tail(s).reverse()).cwiseAbs().maxCoeff(), tolerance * size);
  EXPECT_LT((A * top.vectors - top.vectors * top.values.asDiagonal()).colwise().norm().maxCoeff(),
            tolerance * size);
  EXPECT_LT((top.vectors.transpose() * top.vectors - Matrix::Identity(s, s)).cwiseAbs().maxCoeff(), 1e-12);
  for (Index j = 0; j < s; ++j) {
    Index largest = 0;
    top.vectors.col(j).cwiseAbs().maxCoeff(&largest);
    EXPECT_GT(top.vectors(largest, j), 0) << j;
  }
}

struct Size {
  Index n, s, block;
};
class BlockEigenSizes : public ::testing::TestWithParam<Size> {};

TEST_P(BlockEigenSizes, AgreeWithTheFullDecomposition) {
  const auto [n, s, block] = GetParam();
  const Matrix A = gram_example(n);
  const BlockEigenOptions options{.block = block};
  const Eigenpairs top = top_eigenpairs(product_with(A), n, s, options, Rng(2), Threads(2));
  expect_pairs(A, top, 2e-10);
  for (const int count : {1, 7}) {
    const Eigenpairs again = top_eigenpairs(product_with(A), n, s, options, Rng(2), Threads(count));
    EXPECT_EQ(top.values, again.values);
    EXPECT_EQ(top.vectors, again.vectors);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, BlockEigenSizes,
                         ::testing::Values(Size{1, 1, 0}, Size{2, 1, 0}, Size{20, 5, 0}, Size{30, 30, 0},
                                           Size{400, 1, 1}, Size{400, 4, 0}, Size{400, 20, 0},
                                           Size{400, 20, 3}, Size{400, 7, 50}, Size{150, 120, 0}));

TEST(BlockEigenpairs, AreTheLargestNotTheLargestInSize) {
  Vector values = Vector::LinSpaced(500, -1000, 10);  // the top ones are the small ones
  const Matrix A = with_spectrum(values, 3);
  expect_pairs(A, top_eigenpairs(product_with(A), 500, 5, {.tolerance = 1e-9}, Rng(4), Threads(1)), 2e-9);
  const Matrix B = -gram_example(40);  // none is positive
  expect_pairs(B, top_eigenpairs(product_with(B), 40, 3, {}, Rng(4), Threads(1)), 2e-10);
}

TEST(BlockEigenpairs, FindsEveryCopyOfARepeatedEigenvalue) {
  // one block alone holds no more copies than it has columns
  Vector values = Vector::LinSpaced(600, 0, 1);
  values.tail(12).setConstant(5);
  values(0) = 3;
  const Matrix A = with_spectrum(values, 5);
  expect_pairs(A, top_eigenpairs(product_with(A), 600, 14, {.block = 4}, Rng(6), Threads(1)), 2e-10);
}

TEST(BlockEigenpairs, GoOnWhenTheSpaceIsExhausted) {
  const Index n = 500;
  const Matrix none = Matrix::Zero(n, n);
  expect_pairs(none, top_eigenpairs(product_with(none), n, 5, {}, Rng(7), Threads(1)), 1);
  Vector values = Vector::Zero(n);
  values.tail(3) = Vector{{1, 2, 3}};
  const Matrix three = with_spectrum(values, 8);
  expect_pairs(three, top_eigenpairs(product_with(three), n, 6, {}, Rng(7), Threads(1)), 2e-10);
  const Matrix one = Matrix::Identity(n, n);
  expect_pairs(one, top_eigenpairs(product_with(one), n, 6, {}, Rng(7), Threads(1)), 2e-10);
}

TEST(BlockEigenpairs, DoNotDependOnTheScale) {
  const Matrix A = gram_example(300);
  for (const double scale : {1e-100, 1e-12, 1e100}) {
    const Matrix B = scale * A;
    const Eigenpairs top = top_eigenpairs(product_with(B), 300, 4, {}, Rng(2), Threads(1));
    const Eigenpairs plain = top_eigenpairs(product_with(A), 300, 4, {}, Rng(2), Threads(1));
    EXPECT_LT((top.values / scale - plain.values).norm(), 1e-9 * plain.values(0)) << scale;
    EXPECT_LT((top.vectors - plain.vectors).norm(), 1e-8) << scale;
  }
}

TEST(BlockEigenpairs, TakeFewProducts) {
  const Matrix A = gram_example(800);
  Index passes = 0, widest = 0;
  const auto apply = [&](const Matrix& V) -> Matrix {
    ++passes;
    widest = std::max(widest, V.cols());
    return A * V;
  };
  top_eigenpairs(apply, 800, 10, {}, Rng(2), Threads(1));
  EXPECT_LE(passes, 30);  // 800 vectors would be the whole matrix
  EXPECT_LE(widest, 16);
}

TEST(BlockEigenpairs, RefuseAndReport) {
  const Matrix A = gram_example(600);
  const Threads threads(1);
  EXPECT_THROW(top_eigenpairs(product_with(A), 600, 601, {}, Rng(1), threads), std::invalid_argument);
  EXPECT_THROW(top_eigenpairs(product_with(A), 600, 0, {}, Rng(1), threads), std::invalid_argument);
  EXPECT_THROW(top_eigenpairs(product_with(A), 600, 10, {.max_passes = 2}, Rng(1), threads), NumericalError);
  const Matrix bad = Matrix::Constant(600, 600, std::nan(""));
  EXPECT_THROW(top_eigenpairs(product_with(bad), 600, 3, {}, Rng(1), threads), std::domain_error);
}

/// One smooth column: eigenvalues fall so fast that most of a block is rounding.
TEST(BlockEigenpairs, ASpectrumThatFallsSteeply) {
  for (const auto& [n, s] : {std::pair<Index, Index>{300, 5}, {300, 10}, {300, 30}, {1000, 60}}) {
    const Vector x = Rng(31).normal(n);
    Matrix K(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) K(i, j) = std::exp(-0.5 * (x(i) - x(j)) * (x(i) - x(j)));
    const BlockOperator apply = [&](const Matrix& V) -> Matrix { return K * V; };
    const Eigenpairs pairs = top_eigenpairs(apply, n, s, {}, Rng(1), Threads(1));
    EXPECT_LT((K * pairs.vectors - pairs.vectors * pairs.values.asDiagonal()).colwise().norm().maxCoeff(),
              1e-9 * pairs.values(0))
        << n << " " << s;
    EXPECT_LT((pairs.vectors.transpose() * pairs.vectors - Matrix::Identity(s, s)).cwiseAbs().maxCoeff(),
              1e-12);
  }
}

}  // namespace
}  // namespace bochner::block_eigenpairs_test
