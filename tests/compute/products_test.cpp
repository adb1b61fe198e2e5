#include "bochner/compute/products.hpp"

#include <gtest/gtest.h>

#include "bochner/compute/loopback.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::products_test {
namespace {

/// The twin: three loops in long double.
Matrix slow_product(const Matrix& A, const Matrix& B) {
  Matrix C(A.rows(), B.cols());
  for (Index i = 0; i < A.rows(); ++i)
    for (Index j = 0; j < B.cols(); ++j) {
      long double sum = 0;
      for (Index k = 0; k < A.cols(); ++k) sum += static_cast<long double>(A(i, k)) * B(k, j);
      C(i, j) = double(sum);
    }
  return C;
}

template <class T>
struct Products : ::testing::Test {
  static constexpr double tolerance = std::is_same_v<T, double> ? 1e-13 : 1e-5;
};
using Scalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Products, Scalars);

TYPED_TEST(Products, AgreeWithThreeLoops) {
  using M = MatrixT<TypeParam>;
  const Threads threads{2};
  for (const Index n : {1, 5, 300, 700}) {
    const M A = Rng(1).normal(n, 7).cast<TypeParam>(), B = Rng(2).normal(7, 9).cast<TypeParam>();
    const M C = Rng(3).normal(n, 4).cast<TypeParam>();
    const Matrix Ad = A.template cast<double>(), Bd = B.template cast<double>(),
                 Cd = C.template cast<double>();
    const auto close = [&](const M& got, const Matrix& want) {
      EXPECT_LT((got.template cast<double>() - want).norm(), this->tolerance * want.norm()) << n;
    };
    close(multiply<TypeParam>(A, B, threads), slow_product(Ad, Bd));
    close(multiply_transposed<TypeParam>(A, C, threads), slow_product(Ad.transpose(), Cd));
    close(inner_gram<TypeParam>(A, threads), slow_product(Ad.transpose(), Ad));
    close(outer_gram<TypeParam>(A, threads), slow_product(Ad, Ad.transpose()));
    EXPECT_EQ(outer_gram<TypeParam>(A, threads), outer_gram<TypeParam>(A, threads).transpose());
    EXPECT_NEAR(squared_norm<TypeParam>(A, threads), Ad.squaredNorm(), 1e-12 * Ad.squaredNorm());
  }
}

TYPED_TEST(Products, SameBytesForAnyNumberOfThreads) {
  using M = MatrixT<TypeParam>;
  const M A = Rng(1).normal(1500, 33).cast<TypeParam>(), C = Rng(2).normal(1500, 21).cast<TypeParam>();
  const Threads one(1);
  for (const int count : {2, 7}) {
    const Threads many(count);
    EXPECT_EQ(multiply_transposed<TypeParam>(A, C, one), multiply_transposed<TypeParam>(A, C, many));
    EXPECT_EQ(inner_gram<TypeParam>(A, one), inner_gram<TypeParam>(A, many));
    EXPECT_EQ(outer_gram<TypeParam>(A, one), outer_gram<TypeParam>(A, many));
    EXPECT_EQ(multiply<TypeParam>(A, C.topRows(33), one), multiply<TypeParam>(A, C.topRows(33), many));
    EXPECT_EQ(squared_norm<TypeParam>(A, one), squared_norm<TypeParam>(A, many));
  }
}

// 130 and 200 rows are several tiles or tasks.
TEST(HalfProducts, AgreeWithThreeLoops) {
  for (const int count : {1, 2, 7})
    for (const Index m : {1, 6, 130, 200}) {
      const Threads threads(count);
      const Matrix A = Rng(1).normal(m, 70), B = Rng(2).normal(m, 70), F = Rng(3).normal(m, m);
      const Matrix L = F.triangularView<Eigen::Lower>();  // F has something above, which must not count
      const auto close = [&](const Matrix& got, const Matrix& want) {
        EXPECT_LT((got - want).norm(), 1e-13 * want.norm()) << m;
      };
      close(lower_times(F, A, threads), slow_product(L, A));
      close(lower_transposed_times(F, A, threads), slow_product(L.transpose(), A));
      const Matrix half = slow_product(A, B.transpose()).triangularView<Eigen::Lower>();
      close(lower_of_product(A, B, threads), half);
      EXPECT_TRUE(lower_of_product(A, B, threads).isLowerTriangular(0));
    }
}

TEST(AddInnerGram, AddsToTheLowerTriangle) {
  const Matrix A = Rng(1).normal(50, 400), start = Rng(2).normal(400, 400);  // several tiles
  Matrix C = start, again = start;
  add_inner_gram(A, C, Threads(2));
  add_inner_gram(A, again, Threads(7));
  EXPECT_EQ(C, again);
  const Matrix want = (start + slow_product(A.transpose(), A)).triangularView<Eigen::Lower>();
  const Matrix got = C.triangularView<Eigen::Lower>();
  EXPECT_LT((got - want).norm(), 1e-13 * want.norm());
}

TEST(ProductShapes, RefuseShapesThatDoNotFit) {
  const Threads threads{1};
  EXPECT_THROW(multiply<double>(Matrix::Zero(2, 3), Matrix::Zero(2, 3), threads), std::invalid_argument);
  EXPECT_THROW(multiply_transposed<double>(Matrix::Zero(2, 3), Matrix::Zero(3, 3), threads),
               std::invalid_argument);
  const Matrix A = Matrix::Zero(2, 3), B = Matrix::Zero(3, 3), L = Matrix::Zero(4, 4);
  EXPECT_THROW(lower_times(L, B, threads), std::invalid_argument);
  EXPECT_THROW(lower_transposed_times(L, B, threads), std::invalid_argument);
  EXPECT_THROW(lower_of_product(A, B, threads), std::invalid_argument);
  Matrix C = Matrix::Zero(2, 2);
  EXPECT_THROW(add_inner_gram(A, C, threads), std::invalid_argument);
}

TEST(Products, InnerGramsAreSharedByProcesses) {
  for (const Index cols : {1, 100, 500, 700}) {
    const Matrix A = Rng(8).normal(50, cols), B = Rng(9).normal(30, cols);
    Matrix C = Matrix::Zero(cols, cols);
    add_inner_gram(A, C, Threads(2));
    add_inner_gram(B, C, Threads(2));
    for (const Index ranks : {1, 2, 3, 4, 5, 6, 7, 8, 16})
      run_loopback(ranks, [&](const Communicator& comm) {
        const Compute compute(Threads(2), Device::cpu(), comm);
        Matrix own = Matrix::Zero(cols, cols);
        add_shared_inner_gram(A, own, compute);
        add_shared_inner_gram(B, own, compute);
        gather_shared_inner_gram(own, compute);
        EXPECT_EQ(own, C) << comm.name();
      });
  }
}

}  // namespace
}  // namespace bochner::products_test
