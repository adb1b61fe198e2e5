#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <set>
#include <stdexcept>

#include "kernel_examples.hpp"
#include "tests/support/gradient_check.hpp"

// What every kernel of AnyKernel must do. The bodies are plain functions of AnyKernel, compiled once.

namespace bochner::every_kernel_test {
namespace {

using namespace testing;

const Threads one(1);

void expect_gram_matches_pairs(const AnyKernel& k, Index D) {
  const Matrix X = Rng(11).normal(9, D), Z = Rng(12).normal(6, D);
  const Matrix G = gram(k, X, one), C = gram(k, X, Z, one);
  const double size = 1e-13 * (1 + G.cwiseAbs().maxCoeff());
  EXPECT_EQ((G - G.transpose()).cwiseAbs().maxCoeff(), 0);
  for (Index i = 0; i < X.rows(); ++i) {
    for (Index j = 0; j < X.rows(); ++j) EXPECT_NEAR(G(i, j), evaluate(k, X.row(i), X.row(j)), size);
    for (Index j = 0; j < Z.rows(); ++j) EXPECT_NEAR(C(i, j), evaluate(k, X.row(i), Z.row(j)), size);
    EXPECT_NEAR(evaluate(k, X.row(i), X.row((i + 1) % 9)), evaluate(k, X.row((i + 1) % 9), X.row(i)), size);
  }
  EXPECT_LT((diagonal(k, X) - G.diagonal()).cwiseAbs().maxCoeff(), size);
}

void expect_positive_semidefinite(const AnyKernel& k, Index D) {
  for (const double spread : {0.3, 1.0, 3.0}) {
    const Matrix X = spread * Rng(7).normal(40, D);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram(k, X, one), Eigen::EigenvaluesOnly);
    EXPECT_GT(solver.eigenvalues()(0), -1e-10 * solver.eigenvalues()(39)) << "spread " << spread;
  }
}

void expect_pair_gradients(const AnyKernel& k, Index D) {
  Rng rng(21);
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Vector x = rng.normal(D), y = rng.normal(D);
    expect_gradient([&](const Vector& theta) { return evaluate(with_parameters(k, theta), x, y); },
                    parameters(k), gradient(k, x, y), 1e-7, "theta");
    expect_gradient([&](const Vector& at) { return evaluate(k, at, y); }, x, input_gradient(k, x, y), 1e-7,
                    "x");
  }
}

void expect_gram_pullbacks(const AnyKernel& k, Index D) {
  const Matrix X = Rng(31).normal(7, D), Z = Rng(32).normal(5, D);
  const Matrix A = Rng(33).normal(7, 5), S = Rng(34).normal(7, 7);  // S is not symmetric
  const auto cross = [&](const AnyKernel& kernel, const Matrix& at_X, const Matrix& at_Z) {
    return gram(kernel, at_X, at_Z, one).cwiseProduct(A).sum();
  };
  const GramPullback c = gram_pullback(k, X, Z, gram(k, X, Z, one), A, one);
  expect_gradient([&](const Vector& theta) { return cross(with_parameters(k, theta), X, Z); }, parameters(k),
                  c.dtheta, 1e-7, "cross, theta");
  expect_gradient([&](const Vector& at) { return cross(k, unflat(at, 7, D), Z); }, flat(X), flat(c.dX), 1e-7,
                  "cross, X");
  expect_gradient([&](const Vector& at) { return cross(k, X, unflat(at, 5, D)); }, flat(Z), flat(c.dZ), 1e-7,
                  "cross, Z");

  const auto symmetric = [&](const AnyKernel& kernel, const Matrix& at) {
    return gram(kernel, at, one).cwiseProduct(S).sum();
  };
  const GramPullback s = gram_pullback(k, X, gram(k, X, one), S, one);
  EXPECT_EQ(s.dZ.rows(), 0);
  expect_gradient([&](const Vector& theta) { return symmetric(with_parameters(k, theta), X); }, parameters(k),
                  s.dtheta, 1e-7, "symmetric, theta");
  expect_gradient([&](const Vector& at) { return symmetric(k, unflat(at, 7, D)); }, flat(X), flat(s.dX), 1e-7,
                  "symmetric, X");
}

void expect_diagonal_pullback(const AnyKernel& k, Index D) {
  const Matrix X = Rng(41).normal(6, D);
  const Vector a = Rng(42).normal(6);
  Vector dtheta = Vector::Zero(parameter_count(k));
  Matrix dX = Matrix::Zero(6, D);
  pull_diagonal(k, X, a, dtheta, dX);
  const Vector kept_theta = dtheta, kept_X = flat(dX);
  pull_diagonal(k, X, a, dtheta, dX);  // adds, does not overwrite
  EXPECT_LT((dtheta - 2 * kept_theta).norm(), 1e-14 * (1 + kept_theta.norm()));
  EXPECT_LT((flat(dX) - 2 * kept_X).norm(), 1e-14 * (1 + kept_X.norm()));
  const Vector numeric_theta = numerical_gradient(
      [&](const Vector& theta) { return diagonal(with_parameters(k, theta), X).dot(a); }, parameters(k));
  const Vector numeric_X =
      numerical_gradient([&](const Vector& at) { return diagonal(k, unflat(at, 6, D)).dot(a); }, flat(X));
  EXPECT_LT((kept_theta - numeric_theta).norm(),
            1e-7 * (1 + numeric_theta.norm()));  // zero for stationary kernels
  EXPECT_LT((kept_X - numeric_X).norm(), 1e-7 * (1 + numeric_X.norm()));
}

void expect_parameters_return(const AnyKernel& k) {
  const Vector theta = parameters(k), other = theta + 0.1 * Rng(51).normal(theta.size());
  EXPECT_EQ(theta.size(), parameter_count(k));
  EXPECT_LT((parameters(with_parameters(k, theta)) - theta).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((parameters(with_parameters(k, other)) - other).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_EQ(kernel_name(with_parameters(k, other)), kernel_name(k));
  const std::vector<std::string> names = parameter_names(k);
  EXPECT_EQ(static_cast<Index>(names.size()), theta.size());
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_THROW(with_parameters(k, Vector::Zero(theta.size() + 1)), std::invalid_argument);
}

bool same_bytes(const Matrix& a, const Matrix& b) {
  return a.size() == b.size() && std::equal(a.data(), a.data() + a.size(), b.data());
}

void expect_threads_change_nothing(const AnyKernel& k, Index D) {
  const Matrix X = Rng(61).normal(300, D), Z = Rng(62).normal(270, D);
  const Matrix A = Rng(63).normal(300, 270), S = Rng(64).normal(300, 300);
  const Matrix G = gram(k, X, one), C = gram(k, X, Z, one);
  const GramPullback s = gram_pullback(k, X, G, S, one), c = gram_pullback(k, X, Z, C, A, one);
  for (const int count : {2, 7}) {
    const Threads threads(count);
    EXPECT_TRUE(same_bytes(gram(k, X, threads), G));
    EXPECT_TRUE(same_bytes(gram(k, X, Z, threads), C));
    const GramPullback s2 = gram_pullback(k, X, G, S, threads), c2 = gram_pullback(k, X, Z, C, A, threads);
    EXPECT_TRUE(same_bytes(s2.dtheta, s.dtheta) && same_bytes(s2.dX, s.dX));
    EXPECT_TRUE(same_bytes(c2.dtheta, c.dtheta) && same_bytes(c2.dX, c.dX) && same_bytes(c2.dZ, c.dZ));
  }
}

/// Tiles, mirrored halves and folded adjoints against the one-tile form, at a size that has several of each.
void expect_tiles_match_whole(const AnyKernel& k, Index D) {
  const Index n = 131, m = 262;
  const Matrix X = Rng(71).normal(n, D), Z = Rng(72).normal(m, D), A = Rng(73).normal(n, m),
               S = Rng(74).normal(n, n);
  Matrix C(n, m), G(n, n);
  gram_block(k, X, Z, C);
  gram_block(k, X, X, G);
  const double size = 1e-13 * (1 + G.cwiseAbs().maxCoeff() + C.cwiseAbs().maxCoeff());
  EXPECT_LT((gram(k, X, Z, one) - C).cwiseAbs().maxCoeff(), size);
  EXPECT_LT((gram(k, X, one) - G).cwiseAbs().maxCoeff(), size);

  const Index P = parameter_count(k);
  Vector dtheta = Vector::Zero(P);
  Matrix dX = Matrix::Zero(n, D), dZ = Matrix::Zero(m, D);
  KernelAdjoint cross{dtheta, dX, dZ};
  pull_block(k, X, Z, C, A, cross);
  const GramPullback c = gram_pullback(k, X, Z, C, A, one);
  EXPECT_LT(relative_difference(c.dtheta, dtheta), 1e-11);
  EXPECT_LT(relative_difference(flat(c.dX), flat(dX)), 1e-11);
  EXPECT_LT(relative_difference(flat(c.dZ), flat(dZ)), 1e-11);

  dtheta.setZero();
  dX.setZero();
  Matrix dX_again = Matrix::Zero(n, D);
  KernelAdjoint both{dtheta, dX, dX_again};
  pull_block(k, X, X, G, S, both);
  const GramPullback s = gram_pullback(k, X, G, S, one);
  EXPECT_LT(relative_difference(s.dtheta, dtheta), 1e-11);
  EXPECT_LT(relative_difference(flat(s.dX), flat(dX + dX_again)), 1e-11);
}

void expect_wrong_shapes_are_refused(const AnyKernel& k, Index D) {
  const Matrix X = Rng(81).normal(5, D), wide = Rng(82).normal(5, D + 1), G = gram(k, X, one);
  EXPECT_THROW(gram(k, X, wide, one), std::invalid_argument);
  if (input_dims(k) > 0) {
    EXPECT_THROW(gram(k, wide, one), std::invalid_argument);
  }
  EXPECT_THROW(gram_pullback(k, X, G, G.topRows(4), one), std::invalid_argument);
  EXPECT_THROW(gram_pullback(k, X, X, G, G.leftCols(4), one), std::invalid_argument);
  EXPECT_EQ(gram(k, X.topRows(0), one).size(), 0);
  EXPECT_EQ(gram_pullback(k, X.topRows(0), Matrix(0, 0), Matrix(0, 0), one).dX.rows(), 0);
}

template <class K>
struct EveryKernel : ::testing::Test {
  template <class F>
  void for_each_example(const F& f) {
    for (const K& k : examples<K>(3)) {
      SCOPED_TRACE(kernel_name(AnyKernel(k)));
      f(AnyKernel(k));
    }
  }
};
TYPED_TEST_SUITE(EveryKernel, TypesOf<AnyKernel>::type);

TYPED_TEST(EveryKernel, IsAKernel) { static_assert(Kernel<TypeParam>); }
TYPED_TEST(EveryKernel, GramIsSymmetricAndMatchesPairs) {
  this->for_each_example([](const AnyKernel& k) { expect_gram_matches_pairs(k, 3); });
}
TYPED_TEST(EveryKernel, GramIsPositiveSemidefinite) {
  this->for_each_example([](const AnyKernel& k) { expect_positive_semidefinite(k, 3); });
}
TYPED_TEST(EveryKernel, GradientsOfAPair) {
  this->for_each_example([](const AnyKernel& k) { expect_pair_gradients(k, 3); });
}
TYPED_TEST(EveryKernel, GramPullbacks) {
  this->for_each_example([](const AnyKernel& k) { expect_gram_pullbacks(k, 3); });
}
TYPED_TEST(EveryKernel, DiagonalPullback) {
  this->for_each_example([](const AnyKernel& k) { expect_diagonal_pullback(k, 3); });
}
TYPED_TEST(EveryKernel, ParametersReturn) {
  this->for_each_example([](const AnyKernel& k) { expect_parameters_return(k); });
}
TYPED_TEST(EveryKernel, ThreadsChangeNothing) {
  this->for_each_example([](const AnyKernel& k) { expect_threads_change_nothing(k, 3); });
}
TYPED_TEST(EveryKernel, TilesMatchTheWhole) {
  this->for_each_example([](const AnyKernel& k) { expect_tiles_match_whole(k, 3); });
}
TYPED_TEST(EveryKernel, WrongShapesAreRefused) {
  this->for_each_example([](const AnyKernel& k) { expect_wrong_shapes_are_refused(k, 3); });
}

}  // namespace
}  // namespace bochner::every_kernel_test
