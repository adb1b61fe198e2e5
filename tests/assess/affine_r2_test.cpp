#include "bochner/assess/affine_r2.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"
#include "tests/support/portable_uniform.hpp"

namespace bochner::affine_r2_test {
namespace {

using testing::PortableUniform;

//     g = Lcg(3); L = g.matrix(40, 3)
//     T = c_[L[:,0] - 2 L[:,1] + 0.5 g.matrix(40, 1)[:,0], sin(3 L[:,2]) + 5, 1e6 g.matrix(40, 1)[:,0]]
//     m = LinearRegression().fit(L, T); r2_score(T, m.predict(L)), scikit-learn 1.9.1
struct Portable {
  Matrix latent, truth{40, 3};
  Portable() {
    PortableUniform g(3);
    latent = g.matrix(40, 3);
    truth.col(0) = latent.col(0) - 2 * latent.col(1) + 0.5 * g.matrix(40, 1);
    truth.col(1) = (3 * latent.col(2)).array().sin() + 5;
    truth.col(2) = 1e6 * g.matrix(40, 1);
  }
};

const Vector expected_r2{{0.961838647314217, 0.11953142684848417, 0.08219960787492608}};

TEST(AffineR2, EqualsScikitLearn) {
  const Portable p;
  const AffineR2 r2 = affine_r2(p.latent, p.truth);
  EXPECT_LT((r2.per_column - expected_r2).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(r2.mean, 0.38785656067920904, 1e-12);
  Matrix A(3, 3);
  A << 1.1511611054118001, 2.3177452279635932e-01, -2.7617907949947804e+05,  //
      -1.8604882734563815, 1.3845549243618369e-01, 7.4556944859806870e+04,   //
      -6.7210463148280331e-02, -2.6178442840520566e-01, 1.1424018823877535e+04;
  const Vector b{{1.6204210974558136e-01, 5.6439810778239430, 6.2126624437076505e+05}};
  EXPECT_LT(((r2.A - A).array() / A.array()).abs().maxCoeff(), 1e-9);
  EXPECT_LT(((r2.b - b).array() / b.array()).abs().maxCoeff(), 1e-9);
}

TEST(AffineR2, DoesNotChangeUnderAffineMapsAndUnits) {
  const Portable p;
  Matrix W(3, 3);
  W << 1, 2, 0, -1, 1, 3, 0.5, 0, 2;
  const Matrix mapped = (p.latent * W).rowwise() + Vector{{100, -3, 1e5}}.transpose();
  EXPECT_NEAR(affine_r2(mapped, p.truth).mean, expected_r2.mean(), 1e-9);
  EXPECT_NEAR(affine_r2(1e-12 * p.latent, 1e12 * p.truth).mean, expected_r2.mean(), 1e-12);
}

TEST(AffineR2, RankDeficientLatents) {
  const Portable p;
  Matrix latent(40, 6);  // a copy, a constant, and a sum add nothing
  latent << p.latent, p.latent.col(1), Matrix::Constant(40, 1, 1e9), p.latent.col(0) + p.latent.col(2);
  const AffineR2 r2 = affine_r2(latent, p.truth);
  EXPECT_LT((r2.per_column - expected_r2).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_TRUE(r2.A.allFinite());
  const Matrix fitted = (latent * r2.A).rowwise() + r2.b.transpose();
  EXPECT_NEAR(1 - (fitted - p.truth).col(1).squaredNorm() /
                      (p.truth.col(1).array() - p.truth.col(1).mean()).matrix().squaredNorm(),
              expected_r2(1), 1e-9);
}

TEST(AffineR2, CollapsedLatentExplainsNothing) {
  // Exactly zero whatever the number of rows, which decides how a processor pairs the terms of a sum.
  PortableUniform g(4);
  for (Index N = 2; N <= 70; ++N) {
    const Matrix truth = g.matrix(N, 3);
    const AffineR2 r2 = affine_r2(Matrix::Constant(N, 2, 3.7), truth);
    EXPECT_EQ(r2.mean, 0) << N;
    EXPECT_EQ(r2.per_column, Vector::Zero(3)) << N;
    EXPECT_EQ(r2.A, Matrix::Zero(2, 3)) << N;
    EXPECT_LT((r2.b - truth.colwise().mean().transpose()).cwiseAbs().maxCoeff(), 1e-14) << N;  // N eps
  }
}

TEST(AffineR2, PerfectLatent) {
  Rng rng(1);
  const Matrix latent = rng.normal(30, 2);
  EXPECT_NEAR(affine_r2(latent, latent * rng.normal(2, 4)).mean, 1, 1e-14);
}

TEST(AffineR2, ConstantTruthColumnsAreLeftOut) {
  const Portable p;
  Matrix truth(40, 4);
  truth << p.truth, Matrix::Constant(40, 1, 0.1);
  const AffineR2 r2 = affine_r2(p.latent, truth);
  EXPECT_TRUE(std::isnan(r2.per_column(3)));
  EXPECT_NEAR(r2.mean, expected_r2.mean(), 1e-12);
  EXPECT_NEAR(r2.b(3), 0.1, 1e-15);
  EXPECT_THROW(affine_r2(p.latent, Matrix::Constant(40, 2, 5.0)), InputError);
  EXPECT_THROW(affine_r2(p.latent, Matrix::Zero(39, 1)), std::invalid_argument);
}

// E[R^2] of Q noise columns is Q / (N - 1), with variance 2 Q (N - 1 - Q) / ((N - 1)^2 (N + 1)).
TEST(AffineR2, NoiseExplainsItsShare) {
  Rng rng(2);
  const Index N = 50, Q = 4, P = 200;
  const double n = N, q = Q;
  const double se = std::sqrt(2 * q * (n - 1 - q) / ((n - 1) * (n - 1) * (n + 1)) / P);
  EXPECT_NEAR(affine_r2(rng.normal(N, Q), rng.normal(N, P)).mean, q / (n - 1), 4 * se);
}

}  // namespace
}  // namespace bochner::affine_r2_test
