#include "bochner/infer/stiefel.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <stdexcept>

#include "bochner/core/errors.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::stiefel_test {
namespace {

TEST(Stiefel, OrthonormalizeKeepsTheSpanAndTheOrientation) {
  Rng rng(1);
  const Matrix A = rng.normal(9, 4);
  const Matrix Q = orthonormalize(A);
  EXPECT_LT(orthonormality_error(Q), 1e-14);
  const Matrix R = Q.transpose() * A;  // upper triangular with a positive diagonal
  EXPECT_LT((Q * R - A).norm(), 1e-13);
  for (Index i = 0; i < 4; ++i) {
    EXPECT_GT(R(i, i), 0);
    for (Index j = 0; j < i; ++j) EXPECT_NEAR(R(i, j), 0, 1e-13);
  }
}

TEST(Stiefel, OrthonormalizeRefusesDependentColumns) {
  Matrix A = Rng(2).normal(6, 3);
  A.col(2) = A.col(0) - 2 * A.col(1);
  EXPECT_THROW(orthonormalize(A), NumericalError);
  EXPECT_THROW(orthonormalize(Matrix::Zero(4, 2)), NumericalError);
  EXPECT_THROW(orthonormalize(Matrix::Ones(2, 3)), std::invalid_argument);
}

TEST(Stiefel, PolishFindsTheNearestOrthonormalMatrix) {
  Rng rng(3);
  const Matrix X = random_orthonormal(8, 3, rng) + 0.03 * rng.normal(8, 3);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(X, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Matrix polar = svd.matrixU() * svd.matrixV().transpose();
  const Matrix P = polish_orthonormality(X);
  EXPECT_LT(orthonormality_error(P), 1e-14);
  EXPECT_LT((P - polar).norm(), 1e-13);
  EXPECT_THROW(polish_orthonormality(2 * X), NumericalError);
  EXPECT_EQ(polish_orthonormality(P), P);  // nothing to do
}

TEST(Stiefel, RandomPointsAreUniform) {
  // Each entry of a uniform point of St(n, p) has mean 0 and second moment 1 / n; entries of one column are
  // uncorrelated. In standard errors over 4000 draws.
  Rng rng(4);
  const Index draws = 4000;
  Vector first(draws), square(draws), product(draws);
  for (Index i = 0; i < draws; ++i) {
    const Matrix X = random_orthonormal(5, 2, rng);
    first(i) = X(0, 1);
    square(i) = X(3, 1) * X(3, 1);
    product(i) = X(0, 0) * X(1, 0);
  }
  const auto se = [&](const Vector& v) {
    return std::sqrt((v.array() - v.mean()).square().mean() / double(draws));
  };
  EXPECT_NEAR(first.mean(), 0, 4 * se(first));
  EXPECT_NEAR(square.mean(), 0.2, 4 * se(square));
  EXPECT_NEAR(product.mean(), 0, 4 * se(product));
}

TEST(Stiefel, GradientIsTheDerivativeAlongTheManifold) {
  // f(X) = sum of B o X^3; along the curve t -> orthonormal factor of X + t Z, Z tangent, df/dt = <grad, Z>.
  Rng rng(5);
  const Matrix X = random_orthonormal(7, 3, rng), B = rng.normal(7, 3);
  const auto f = [&](const Matrix& Y) { return (B.array() * Y.array().cube()).sum(); };
  const Matrix G = 3 * B.array() * X.array().square();
  const Matrix grad = stiefel_gradient(X, G);
  const Matrix XZ = X.transpose() * grad;
  EXPECT_LT((XZ + XZ.transpose()).norm(), 1e-13);  // tangent
  const Matrix K = rng.normal(3, 3), N = rng.normal(7, 3);
  const Matrix Z = X * (K - K.transpose()) + N - X * (X.transpose() * N);  // every tangent has this form
  const auto along = [&](const Vector& t) { return f(orthonormalize(X + t(0) * Z)); };
  EXPECT_NEAR(testing::numerical_gradient(along, Vector::Zero(1))(0), grad.cwiseProduct(Z).sum(), 1e-7);
}

}  // namespace
}  // namespace bochner::stiefel_test
