#include "bochner/symmetry/harmonic.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/random/rng.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::harmonic_test {
namespace {

using namespace testing;

const Threads threads(1);

/// A kernel, symmetries that it is invariant under, and how many real harmonics these have.
struct Case {
  std::string name;
  AnyKernel kernel;
  std::vector<Symmetry> symmetries;
  Index D, harmonics;
};

AnyKernel rbf(Index D) { return Rbf{.ell = Vector::Constant(D, 1.1), .sigma2 = 1.3}; }

std::vector<Case> cases() {
  const AnyKernel wave =
      Periodic{.ell = Vector::Constant(1, 0.8), .period = Vector::Constant(1, 1.0), .sigma2 = 1.2};
  Matrix V(3, 1);
  V << 0.6, 0.0, 0.8;
  return {{"none", rbf(2), {}, 2, 1},
          {"negate all", rbf(3), {negate(3, {0, 1, 2})}, 3, 2},
          {"negate in groups",
           Matern{.ell = Vector{{0.7, 1.3, 0.9}}, .sigma2 = 0.8},
           {negate(3, {0}), negate(3, {1, 2})},
           3,
           4},
          {"reflect a direction", rbf(3), {reflect(V)}, 3, 2},
          {"rotate by three", rbf(2), {rotate(2, 0, 1, 3)}, 2, 2},
          {"rotate by four",
           AnyKernel(Polynomial{.weight = Vector::Constant(3, 0.7), .offset = 0.5, .degree = 3}),
           {rotate(3, 0, 2, 4)},
           3,
           3},
          {"rotate by six", rbf(3), {rotate(3, 0, 1, 6)}, 3, 4},
          {"torus", wave, {translate(Vector::Constant(1, 0.2), 5)}, 1, 3},
          {"permute", rbf(3), {permute({1, 2, 0})}, 3, 2},
          {"flip", rbf(6), {flip_image(2, 3, true)}, 6, 2},
          {"shift an image", rbf(6), {shift_image(2, 3, 0, 1), shift_image(2, 3, 1, 0)}, 6, 4}};
}

TEST(Harmonic, KernelsAddUpToTheKernel) {
  for (const Case& c : cases()) {
    const Matrix X = Rng(1).normal(9, c.D), Z = Rng(2).normal(7, c.D);
    Matrix sum = Matrix::Zero(9, 7);
    const std::vector<Harmonic> parts = harmonic_kernels(c.kernel, c.symmetries, c.D);
    EXPECT_EQ(Index(parts.size()), c.harmonics) << c.name;
    for (const Harmonic& k : parts) sum += gram(k, X, Z, threads);
    EXPECT_LT((sum - gram(c.kernel, X, Z, threads)).cwiseAbs().maxCoeff(), 1e-12) << c.name;
    EXPECT_NO_THROW(check_symmetries(c.kernel, c.symmetries, X)) << c.name;
  }
}

TEST(Harmonic, EachIsSymmetricAndPositiveSemidefinite) {
  for (const Case& c : cases()) {
    const Matrix X = Rng(3).normal(20, c.D);
    for (const Harmonic& k : harmonic_kernels(c.kernel, c.symmetries, c.D)) {
      const Matrix K = gram(k, X, X, threads);
      EXPECT_LT((K - K.transpose()).cwiseAbs().maxCoeff(), 1e-12) << c.name;
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen{Eigen::MatrixXd(K)};
      EXPECT_GT(eigen.eigenvalues()(0), -1e-11 * eigen.eigenvalues().tail(1)(0)) << c.name;
      EXPECT_LT((k.diagonal(X) - K.diagonal()).cwiseAbs().maxCoeff(), 1e-12) << c.name;
    }
  }
}

/// Orthogonal spaces [sun2021, Lemma 3.6]: averaged over the group, the product of two different characters vanishes, so on
/// a set of points that the group maps to itself the Gram matrices of different harmonics multiply to zero.
TEST(Harmonic, DifferentOnesAreOrthogonal) {
  for (const Case& c : cases()) {
    const Matrix X = Rng(4).normal(4, c.D);
    const std::vector<GroupElement> group = group_elements(c.symmetries, c.D);
    Matrix orbit(4 * Index(group.size()), c.D);
    for (std::size_t g = 0; g < group.size(); ++g)
      orbit.middleRows(4 * Index(g), 4) = group[g].motion.apply(X);
    const std::vector<Harmonic> parts = harmonic_kernels(c.kernel, c.symmetries, c.D);
    for (std::size_t a = 0; a < parts.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const Matrix Ka = gram(parts[a], orbit, orbit, threads), Kb = gram(parts[b], orbit, orbit, threads);
        EXPECT_LT((Ka * Kb).cwiseAbs().maxCoeff(), 1e-10 * (1 + Ka.norm() * Kb.norm())) << c.name;
      }
  }
}

/// k_t(x, Gy) = exp(2 pi i t / T) k_t(x, y)   [sun2021, Eq. 8]; for negation: even and odd functions.
TEST(Harmonic, NegationSplitsIntoEvenAndOdd) {
  const std::vector<Harmonic> parts = harmonic_kernels(rbf(2), {negate(2, {0, 1})}, 2);
  const Matrix X = Rng(5).normal(6, 2), Z = Rng(6).normal(5, 2);
  EXPECT_LT((gram(parts[0], X, -Z, threads) - gram(parts[0], X, Z, threads)).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((gram(parts[1], X, -Z, threads) + gram(parts[1], X, Z, threads)).cwiseAbs().maxCoeff(), 1e-14);
  const Matrix K = gram(rbf(2), X, Z, threads), flipped = gram(rbf(2), X, -Z, threads);
  EXPECT_LT((gram(parts[0], X, Z, threads) - 0.5 * (K + flipped)).cwiseAbs().maxCoeff(),
            1e-14);  // 1 / T, not 2 / T
}

TEST(Harmonic, MultiplicitiesAddUpToTheGroup) {
  for (const Case& c : cases()) {
    double sum = 0, T = 1;
    for (const HarmonicIndex& h : harmonic_indices(c.symmetries)) sum += h.multiplicity;
    for (const Symmetry& s : c.symmetries) T *= double(s.order);
    EXPECT_EQ(sum, T) << c.name;
    EXPECT_EQ(double(group_elements(c.symmetries, c.D).size()), T) << c.name;
  }
}

TEST(Harmonic, ValuesAndBlocksAgree) {
  for (const Case& c : cases()) {
    const Matrix X = Rng(7).normal(3, c.D), Z = Rng(8).normal(4, c.D);
    for (const Harmonic& k : harmonic_kernels(c.kernel, c.symmetries, c.D)) {
      const Matrix K = gram(k, X, Z, threads);
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 4; ++j) EXPECT_NEAR(K(i, j), k(X.row(i), Z.row(j)), 1e-13) << c.name;
    }
  }
}

TEST(Harmonic, Gradients) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(c.name);
    const Harmonic k = harmonic_kernels(c.kernel, c.symmetries, c.D).back();
    const Matrix X = Rng(9).normal(3, c.D), Z = Rng(10).normal(4, c.D), W = Rng(11).normal(3, 4);
    const Vector w = Rng(12).normal(3);
    const GramPullback back = gram_pullback(k, X, Z, gram(k, X, Z, threads), W, threads);
    const auto inner = [&](const Harmonic& h, const Matrix& x, const Matrix& z) {
      return gram(h, x, z, threads).cwiseProduct(W).sum();
    };
    expect_gradient([&](const Vector& v) { return inner(k, unflat(v, 3, c.D), Z); }, flat(X), flat(back.dX),
                    1e-7, "X");
    expect_gradient([&](const Vector& v) { return inner(k, X, unflat(v, 4, c.D)); }, flat(Z), flat(back.dZ),
                    1e-7, "Z");
    expect_gradient([&](const Vector& v) { return inner(k.with_parameters(v), X, Z); }, k.parameters(),
                    back.dtheta, 1e-7, "theta");
    Vector dtheta = Vector::Zero(k.parameter_count());
    Matrix dX = Matrix::Zero(3, c.D);
    k.pull_diagonal(X, w, dtheta, dX);
    expect_gradient([&](const Vector& v) { return w.dot(k.diagonal(unflat(v, 3, c.D))); }, flat(X), flat(dX),
                    1e-7, "diagonal, X");
    expect_gradient([&](const Vector& v) { return w.dot(k.with_parameters(v).diagonal(X)); }, k.parameters(),
                    dtheta, 1e-7, "diagonal, theta");
    const Vector x = X.row(0), y = Z.row(0);
    expect_gradient([&](const Vector& v) { return k(v, y); }, x, k.input_gradient(x, y), 1e-7, "input");
    expect_gradient([&](const Vector& v) { return k.with_parameters(v)(x, y); }, k.parameters(),
                    k.gradient(x, y), 1e-7, "gradient");
  }
}

TEST(Symmetry, WhatIsNoneIsSaid) {
  const Matrix X = Rng(13).normal(30, 2);
  const AnyKernel ard = Rbf{.ell = Vector{{0.5, 2.0}}};
  const auto refused = [&](const AnyKernel& k, const std::vector<Symmetry>& s) {
    try {
      check_symmetries(k, s, X);
      return std::string();
    } catch (const InputError& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(refused(ard, {rotate(2, 0, 1, 4)}).find("'rotate' changes the kernel rbf"), std::string::npos);
  EXPECT_EQ(refused(ard, {negate(2, {0}), negate(2, {1})}), "");
  EXPECT_NE(refused(rbf(2), {translate(Vector::Constant(2, 0.3), 4)}).find("after 4 turns"),
            std::string::npos);
  EXPECT_NE(refused(rbf(2), {rotate(2, 0, 1, 4), negate(2, {0})}).find("do not commute"), std::string::npos);
  Symmetry wrong = rotate(2, 0, 1, 4);
  wrong.order = 2;
  EXPECT_NE(refused(rbf(2), {wrong}).find("after 2 turns"), std::string::npos);
  EXPECT_THROW(permute({0, 0}), std::invalid_argument);
  EXPECT_THROW(rotate(2, 1, 1, 3), std::invalid_argument);
  EXPECT_THROW(reflect(Matrix::Constant(2, 1, 1.0)), std::invalid_argument);
  EXPECT_THROW(negate(2, {2}), std::domain_error);
}

TEST(Symmetry, OrdersOfPermutations) {
  EXPECT_EQ(permute({1, 0, 3, 4, 2}).order, 6);
  EXPECT_EQ(permute({0, 1}).order, 1);
  EXPECT_EQ(shift_image(4, 6, 1, 0).order, 4);
  EXPECT_EQ(shift_image(4, 6, 0, 2).order, 3);
  const Matrix image = Vector::LinSpaced(6, 0, 5).transpose();  // 0 1 2 / 3 4 5
  EXPECT_EQ(flip_image(2, 3, true).generator.apply(image), (Matrix{{2, 1, 0, 5, 4, 3}}));
  EXPECT_EQ(flip_image(2, 3, false).generator.apply(image), (Matrix{{3, 4, 5, 0, 1, 2}}));
  EXPECT_EQ(shift_image(2, 3, 0, 1).generator.apply(image), (Matrix{{1, 2, 0, 4, 5, 3}}));
}

}  // namespace
}  // namespace bochner::harmonic_test
