#include "bochner/assess/procrustes.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <Eigen/QR>

#include "bochner/random/rng.hpp"
#include "tests/support/portable_uniform.hpp"

namespace bochner::procrustes_test {
namespace {

using testing::PortableUniform;

Matrix random_rotation(Index Q, Rng& rng) {
  return Eigen::HouseholderQR<Eigen::MatrixXd>(Eigen::MatrixXd(rng.normal(Q, Q))).householderQ();
}

struct Portable {  // g = Lcg(14); Z = g.matrix(15, 3); X = g.matrix(15, 3)
  Matrix Z, X;
  Portable() {
    PortableUniform g(14);
    Z = g.matrix(15, 3);
    X = g.matrix(15, 3);
  }
};

// scipy.linalg.orthogonal_procrustes of the centred tables; the best map here is a reflection.
TEST(Procrustes, EqualsScipy) {
  const Portable p;
  Matrix R(3, 3);
  R << 0.07632242899740009, -0.3285578540165996, -0.9413950410937714,  //
      -0.06837736168990421, 0.9402015288316059, -0.3336849136401558,   //
      -0.9947358560141811, -0.08983775234675555, -0.04929254520734588;
  const Procrustes map = procrustes(p.Z, p.X);
  EXPECT_LT((map.rotation - R).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(map.scale, 1);
  EXPECT_NEAR((map.apply(p.Z) - p.X).norm(), 1.833565240522206, 1e-12);
  const Procrustes scaled = procrustes(p.Z, p.X, {.scaling = true});
  EXPECT_NEAR(scaled.scale, 0.45611532811968314, 1e-12);
  EXPECT_NEAR((scaled.apply(p.Z) - p.X).norm(), 1.586802816817327, 1e-12);
}

// scipy.spatial.transform.Rotation.align_vectors: proper rotations only.
TEST(Procrustes, WithoutReflectionEqualsKabsch) {
  const Portable p;
  const Procrustes map = procrustes(p.Z, p.X, {.reflection = false});
  EXPECT_NEAR((map.apply(p.Z) - p.X).norm(), 1.9368386281233185, 1e-12);
  EXPECT_NEAR(Eigen::MatrixXd(map.rotation).determinant(), 1, 1e-12);
}

TEST(Procrustes, UndoesAKnownMotion) {
  Rng rng(1);
  for (const Index Q : {1, 2, 5}) {
    const Matrix Z = rng.normal(30, Q), R = random_rotation(Q, rng);
    const Matrix X = (2.5 * Z * R).rowwise() + rng.normal(1, Q).row(0);
    const Procrustes map = procrustes(Z, X, {.scaling = true});
    EXPECT_LT((map.rotation - R).norm(), 1e-10);
    EXPECT_NEAR(map.scale, 2.5, 1e-12);
    EXPECT_LT((map.apply(Z) - X).norm(), 1e-10);
  }
}

// No other map of the family comes closer.
TEST(Procrustes, IsTheBest) {
  Rng rng(2);
  const Matrix Z = rng.normal(20, 3), X = rng.normal(20, 3);
  const Procrustes best = procrustes(Z, X, {.scaling = true});
  const double least = (best.apply(Z) - X).norm();
  for (int i = 0; i < 300; ++i) {
    const double step = i % 2 ? 1.0 : 1e-3;
    const Eigen::MatrixXd turned = Eigen::MatrixXd::Identity(3, 3) + step * Eigen::MatrixXd(rng.normal(3, 3));
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(turned);
    Procrustes other = best;
    other.rotation = best.rotation * Matrix(qr.householderQ());
    other.scale *= std::exp(0.1 * step * rng.normal());
    other.shift += 0.1 * step * rng.normal(3);
    EXPECT_GE((other.apply(Z) - X).norm(), least);
  }
}

TEST(Procrustes, PointsThatCoincideAreMoved) {
  const Procrustes map =
      procrustes(Matrix::Constant(4, 2, 1.0), Matrix::Constant(4, 2, 3.0), {.scaling = true});
  EXPECT_EQ(map.scale, 1);
  EXPECT_LT((map.apply(Matrix::Constant(1, 2, 1.0)) - Matrix::Constant(1, 2, 3.0)).norm(), 1e-14);
  EXPECT_THROW(procrustes(Matrix::Zero(4, 2), Matrix::Zero(4, 3)), std::invalid_argument);
  EXPECT_THROW(procrustes(Matrix::Zero(4, 2), Matrix::Zero(3, 2)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::procrustes_test
