#include "bochner/kernels/scaled_distance.hpp"

#include <gtest/gtest.h>

#include "bochner/kernels/any_kernel.hpp"
#include "bochner/random/rng.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::scaled_distance_test {
namespace {

using namespace testing;

// Few columns are summed, many multiplied: both sides of the limit, far from the origin, with rows that repeat.
class Widths : public ::testing::TestWithParam<Index> {};

TEST_P(Widths, DistancesAreRightAndZeroForEqualRows) {
  const Index D = GetParam(), n = 9, m = 21;
  const Vector ell = Rng(1).uniform(D).array() + 0.5;
  const Matrix X = Rng(2).normal(n, D).array() + 100;
  Matrix Z = Rng(3).normal(m, D).array() + 100;
  Z.row(4) = X.row(7);
  Z.row(5) = X.row(2);
  Z(5, 0) += 1e-9;
  const ScaledDistance distance(ell, X, Z);
  Vector r2(m);
  for (Index i = 0; i < n; ++i) {
    distance.row(i, r2.data());
    for (Index j = 0; j < m; ++j) {
      const double exact = ((X.row(i) - Z.row(j)).transpose().array() / ell.array()).square().sum();
      // far away both are exact; a close pair is summed with the scaled rows
      EXPECT_NEAR(r2(j), exact, exact > 1e-6 ? 1e-6 * exact : 1e-22);
    }
  }
  distance.row(7, r2.data());
  EXPECT_EQ(r2(4), 0);
  distance.row(2, r2.data());
  EXPECT_GT(r2(5), 0);
}

TEST_P(Widths, Pullbacks) {
  const Index D = GetParam(), n = 4, m = 6;
  const Vector log_ell = 0.3 * Rng(1).normal(D);
  const Matrix X = Rng(2).normal(n, D), Z = Rng(3).normal(m, D), W = Rng(4).normal(n, m);
  const auto inner = [&](const Vector& l, const Matrix& x, const Matrix& z) {
    const ScaledDistance distance(l.array().exp().matrix(), x, z);
    double sum = 0;
    Vector r2(m);
    for (Index i = 0; i < n; ++i) {
      distance.row(i, r2.data());
      sum += r2.dot(W.row(i));
    }
    return sum;
  };
  ScaledDistance distance(log_ell.array().exp().matrix(), X, Z);
  for (Index i = 0; i < n; ++i) distance.pull_row(i, W.row(i).data());
  Vector dl = Vector::Zero(D);
  Matrix dX = Matrix::Zero(n, D), dZ = Matrix::Zero(m, D);
  distance.finish(dl, dX, dZ);
  expect_gradient([&](const Vector& v) { return inner(v, X, Z); }, log_ell, dl, 1e-7, "ell");
  expect_gradient([&](const Vector& v) { return inner(log_ell, unflat(v, n, D), Z); }, flat(X), flat(dX),
                  1e-7, "X");
  expect_gradient([&](const Vector& v) { return inner(log_ell, X, unflat(v, m, D)); }, flat(Z), flat(dZ),
                  1e-7, "Z");
}

TEST_P(Widths, KernelsAgreeWithTheirPairs) {
  const Index D = GetParam();
  const Vector ell = Vector::Constant(D, std::sqrt(double(D)));
  const Matrix X = Rng(5).normal(70, D), Z = Rng(6).normal(30, D);
  for (const AnyKernel& k :
       {AnyKernel(Rbf{ell}), AnyKernel(Matern{ell}), AnyKernel(RationalQuadratic{ell})}) {
    const Matrix K = gram(k, X, Z, Threads(2)), S = gram(k, X, Threads(2));
    for (Index i = 0; i < 70; ++i)
      for (Index j = 0; j < 30; ++j) EXPECT_NEAR(K(i, j), evaluate(k, X.row(i), Z.row(j)), 1e-13);
    EXPECT_EQ(S.diagonal(), Vector::Ones(70));
  }
}

INSTANTIATE_TEST_SUITE_P(Columns, Widths, ::testing::Values(2, 23, 24, 100));

}  // namespace
}  // namespace bochner::scaled_distance_test
