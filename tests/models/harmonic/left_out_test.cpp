#include "src/models/harmonic/answers/left_out.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "bochner/random/rng.hpp"

namespace bochner::left_out_test {
namespace {

/// The marginals of an exact GP, given the rows whose `noise` is finite.
LatentMarginals marginals(const Matrix& K, const Vector& y, const Vector& noise) {
  Matrix A = K;
  A.diagonal() += noise;
  const Matrix inverse = A.inverse();
  return {K * inverse * y, (K - K * inverse * K).diagonal()};
}

/// Rows that are really left out of the Gram matrix, two outcomes, weights.
TEST(LeftOut, IsPredictionFromTheOtherRows) {
  Rng rng(1);
  const Index N = 9;
  const Matrix X = rng.normal(N, 2), Y = rng.normal(N, 2);
  const Vector weight = rng.normal(N).array().abs() + 0.2, variance{{0.3, 1.1}};
  Matrix K(N, N);
  for (Index i = 0; i < N; ++i)
    for (Index j = 0; j < N; ++j) K(i, j) = std::exp(-0.5 * (X.row(i) - X.row(j)).squaredNorm());
  LatentMarginals at{Matrix(N, 2), Matrix(N, 2)};
  Matrix weighted(N, 3);
  weighted << Y, weight;
  for (Index o = 0; o < 2; ++o) {
    const LatentMarginals own = marginals(K, Y.col(o), variance(o) * weight.cwiseInverse());
    at.mean.col(o) = own.mean;
    at.variance.col(o) = own.variance;
  }
  const LatentMarginals found = left_out({variance}, at, Vector::Zero(N), weighted).f;
  for (Index o = 0; o < 2; ++o)
    for (Index n = 0; n < N; ++n) {
      IndexVector rest(N - 1);
      for (Index i = 0, k = 0; i < N; ++i)
        if (i != n) rest(k++) = i;
      Matrix A = K(rest, rest);
      A.diagonal() += variance(o) * weight(rest).cwiseInverse();
      const Vector k = K(rest, n);
      const Matrix inverse = A.inverse();
      EXPECT_NEAR(found.mean(n, o), k.dot(inverse * Vector(Y.col(o))(rest)), 1e-10);
      EXPECT_NEAR(found.variance(n, o), 1 - k.dot(inverse * k), 1e-10);
    }
}

/// Inducing points that are fewer than the rows: the optimal q(u) without a row, of the covariance that points imply, and
/// the residual of the kernel there.
TEST(LeftOut, KnowsWhatInducingPointsLeaveOpen) {
  Rng rng(2);
  const Index N = 12, m = 4;
  const Matrix X = rng.normal(N, 1), Z = X.topRows(m);
  const Vector y = rng.normal(N);
  const double variance = 0.4;
  const auto gram = [](const Matrix& A, const Matrix& B) {
    Matrix K(A.rows(), B.rows());
    for (Index i = 0; i < A.rows(); ++i)
      for (Index j = 0; j < B.rows(); ++j) K(i, j) = std::exp(-0.5 * (A.row(i) - B.row(j)).squaredNorm());
    return K;
  };
  const Matrix Kxz = gram(X, Z), Q = Kxz * gram(Z, Z).inverse() * Kxz.transpose();
  const Vector residual = Vector::Ones(N) - Q.diagonal();
  LatentMarginals at = marginals(Q, y, Vector::Constant(N, variance));
  at.variance += residual;
  const LeftOut found = left_out({Vector{{variance}}}, at, residual, Matrix(y));
  for (Index n = 0; n < N; ++n) {
    IndexVector rest(N - 1);
    for (Index i = 0, k = 0; i < N; ++i)
      if (i != n) rest(k++) = i;
    Matrix A = Q(rest, rest);
    A.diagonal().array() += variance;
    const Vector k = Q(rest, n);
    const Matrix inverse = A.inverse();
    EXPECT_NEAR(found.f.mean(n, 0), k.dot(inverse * Vector(y(rest))), 1e-9);
    EXPECT_NEAR(found.f.variance(n, 0), Q(n, n) - k.dot(inverse * k) + residual(n), 1e-9);
  }
}

TEST(LeftOut, RowsWithoutAnOutcomeStay) {
  const LatentMarginals at{Matrix{{1, 2}}, Matrix{{0.5, 0.25}}};
  const LeftOut found =
      left_out({Vector{{1, 1}}}, at, Vector::Zero(1), Matrix{{std::numeric_limits<double>::quiet_NaN(), 3}});
  EXPECT_EQ(found.f.mean(0, 0), 1);
  EXPECT_EQ(found.f.variance(0, 0), 0.5);
  EXPECT_NEAR(found.f.mean(0, 1), (2 - 0.25 * 3) / 0.75, 1e-15);
}

TEST(LeftOut, NothingIsSaidWhereAnOutcomeDecidesAlone) {
  const LeftOut found =
      left_out({Vector{{0.1}}}, {Matrix{{1}, {2}}, Matrix{{0.2}, {0.05}}}, Vector::Zero(2), Matrix{{1}, {1}});
  EXPECT_TRUE(std::isnan(found.Y(0, 0)));
  EXPECT_EQ(found.Y(1, 0), 1);
}

}  // namespace
}  // namespace bochner::left_out_test
