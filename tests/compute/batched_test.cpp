#include "bochner/compute/batched.hpp"

#include <gtest/gtest.h>

#include <string>

#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::batched_test {
namespace {

Eigen::MatrixXd positive_definite(Index n, std::uint64_t seed) {
  const Eigen::MatrixXd A = Rng(seed).normal(n, n);
  return A * A.transpose() + 0.1 * Eigen::MatrixXd::Identity(n, n);
}

// More rows than are worked on together, so that blocks have to add up.
TEST(WeightedGrams, AgreeWithTheDefinition) {
  const Index N = 700, F = 5, C = 3;
  const Matrix Phi = Rng(1).normal(N, F);
  const Eigen::MatrixXd Omega = Rng(2).normal(N, C).cwiseAbs();
  const Vector added = Rng(3).normal(F).cwiseAbs();
  const std::vector<Eigen::MatrixXd> P = weighted_grams(Phi, Omega, added);
  ASSERT_EQ(Index(P.size()), C);
  for (Index c = 0; c < C; ++c) {
    Eigen::MatrixXd slow = added.asDiagonal();
    for (Index n = 0; n < N; ++n) slow += Omega(n, c) * Phi.row(n).transpose() * Phi.row(n);
    for (Index i = 0; i < F; ++i)
      for (Index j = 0; j <= i; ++j) EXPECT_NEAR(P[std::size_t(c)](i, j), slow(i, j), 1e-11 * slow(i, i));
  }
}

TEST(WeightedGrams, WrongShapesThrow) {
  const Matrix Phi = Matrix::Ones(4, 2);
  EXPECT_THROW(weighted_grams(Phi, Eigen::MatrixXd::Ones(3, 1), Vector::Ones(2)), std::invalid_argument);
  EXPECT_THROW(weighted_grams(Phi, Eigen::MatrixXd::Ones(4, 1), Vector::Ones(3)), std::invalid_argument);
}

TEST(SmallCholesky, SolvesReadTheLowerTriangleAlone) {
  const Index n = 40;
  const Eigen::MatrixXd P = positive_definite(n, 1);
  Eigen::MatrixXd lower = P.triangularView<Eigen::Lower>();
  lower.triangularView<Eigen::StrictlyUpper>().setConstant(1e6);
  const Vector b = Rng(2).normal(n);
  const SmallCholesky factor(lower, "P");
  EXPECT_LT((P * factor.solve(b) - b).norm(), 1e-9);
  EXPECT_EQ(factor.solve(b), factor.solve_lower_transposed(factor.solve_lower(b)));
  // b'P^-1 b = |L^-1 b|^2, which only the lower factor gives
  EXPECT_NEAR(b.dot(factor.solve(b)), factor.solve_lower(b).squaredNorm(), 1e-9);
  const Vector u = factor.solve_lower_transposed(b);  // u'P u = |b|^2
  EXPECT_NEAR(u.dot(P * u), b.squaredNorm(), 1e-9 * b.squaredNorm());
}

TEST(SmallCholesky, RefusesAndLifts) {
  Eigen::MatrixXd P = Eigen::MatrixXd::Ones(3, 3);  // rank one
  P(0, 0) = 1 - 1e-9;                               // and not semidefinite
  try {
    SmallCholesky(P, "the matrix of a column");
    FAIL() << "no error";
  } catch (const NumericalError& error) {
    EXPECT_STREQ(error.what(), "the matrix of a column is not positive definite");
  }
  const Eigen::MatrixXd before = P;
  const SmallCholesky factor = SmallCholesky::lifting(P, "P");
  const Vector lift = (P - before).diagonal();
  EXPECT_GT(lift.minCoeff(), 1e-10);
  EXPECT_LT(lift.maxCoeff(), 1e-7);
  EXPECT_EQ(P - before, Eigen::MatrixXd(lift.asDiagonal()));
  const Vector b = Vector{{1, -1, 0.5}};
  EXPECT_LT((P * factor.solve(b) - b).norm(), 1e-5);

  Eigen::MatrixXd good = positive_definite(4, 5);
  const Eigen::MatrixXd same = good;
  SmallCholesky::lifting(good, "good");
  EXPECT_EQ(good, same);

  Eigen::MatrixXd hopeless = -Eigen::MatrixXd::Identity(2, 2);
  EXPECT_THROW(SmallCholesky::lifting(hopeless, "hopeless"), NumericalError);
}

}  // namespace
}  // namespace bochner::batched_test
