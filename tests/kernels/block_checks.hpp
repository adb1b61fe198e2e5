#pragma once
#include <gtest/gtest.h>

#include <cmath>

#include "bochner/kernels/kernel.hpp"
#include "bochner/random/rng.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::testing {

/// gradient and input_gradient of a pair against central differences.
template <Kernel K>
void expect_pair_gradients(const K& k, const Vector& x, const Vector& y) {
  expect_gradient([&](const Vector& theta) { return k.with_parameters(theta)(x, y); }, k.parameters(),
                  k.gradient(x, y), 1e-8, "gradient");
  expect_gradient([&](const Vector& at) { return k(at, y); }, x, k.input_gradient(x, y), 1e-8,
                  "input gradient");
}

template <Kernel K>
Matrix slow_gram(const K& k, const Matrix& X, const Matrix& Z) {
  Matrix G(X.rows(), Z.rows());
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < Z.rows(); ++j) G(i, j) = k(X.row(i), Z.row(j));
  return G;
}

/// gram_block into a part of a larger matrix: it overwrites what is there and leaves the rest alone.
template <Kernel K>
Matrix block_gram(const K& k, const Matrix& X, const Matrix& Z) {
  Matrix frame = Matrix::Constant(X.rows(), Z.rows() + 9, 7);
  k.gram_block(X, Z, frame.leftCols(Z.rows()));
  EXPECT_TRUE((frame.rightCols(9).array() == 7).all());
  return frame.leftCols(Z.rows());
}

/// gram_block and diagonal against pairs, pull_block and pull_diagonal against sums of pair gradients.
template <Kernel K>
void expect_blocks_match_pairs(const K& k, const Matrix& X, const Matrix& Z, double tolerance = 1e-12) {
  const Index n = X.rows(), m = Z.rows(), D = X.cols(), P = k.parameter_count();
  const Matrix G = block_gram(k, X, Z);
  EXPECT_LT((G - slow_gram(k, X, Z)).cwiseAbs().maxCoeff(), tolerance);

  Rng rng(5);
  Matrix frame = Matrix::Constant(n, m + 9, std::nan(""));  // what lies beyond a row must not be touched
  frame.leftCols(m) = rng.normal(n, m);
  const auto A = frame.leftCols(m);
  Vector dtheta = Vector::Constant(P, 3), slow_theta = dtheta;  // the pullback adds
  Matrix dX = Matrix::Constant(n, D, 2), dZ = Matrix::Constant(m, D, -1), slow_X = dX, slow_Z = dZ;
  KernelAdjoint adjoint{dtheta, dX, dZ};
  k.pull_block(X, Z, G, A, adjoint);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < m; ++j) {
      slow_theta += A(i, j) * k.gradient(X.row(i), Z.row(j));
      slow_X.row(i) += A(i, j) * k.input_gradient(X.row(i), Z.row(j));
      slow_Z.row(j) += A(i, j) * k.input_gradient(Z.row(j), X.row(i));
    }
  EXPECT_LT(relative_difference(dtheta, slow_theta), tolerance);
  EXPECT_LT(relative_difference(flat(dX), flat(slow_X)), tolerance);
  EXPECT_LT(relative_difference(flat(dZ), flat(slow_Z)), tolerance);

  const Vector a = rng.normal(n), d = k.diagonal(X);
  dtheta = slow_theta = Vector::Constant(P, 3);
  dX = slow_X = Matrix::Constant(n, D, 2);
  k.pull_diagonal(X, a, dtheta, dX);
  for (Index i = 0; i < n; ++i) {
    EXPECT_NEAR(d(i), k(X.row(i), X.row(i)), tolerance);
    slow_theta += a(i) * k.gradient(X.row(i), X.row(i));
    slow_X.row(i) += 2 * a(i) * k.input_gradient(X.row(i), X.row(i));
  }
  EXPECT_LT(relative_difference(dtheta, slow_theta), tolerance);
  EXPECT_LT(relative_difference(flat(dX), flat(slow_X)), tolerance);
}

/// dtheta of a random linear function of the frequencies against central differences.
template <SpectralKernel K>
void expect_frequencies_pullback(const K& k, Directions directions) {
  Rng rng(8);
  const SpectralNoise noise = k.draw_noise(7, directions, rng);
  const Frequencies f = k.frequencies(noise);
  const Frequencies dL{rng.normal(f.count(), f.Omega1.cols()), rng.normal(f.Omega2.rows(), f.Omega2.cols()),
                       rng.normal(f.count())};
  const auto loss = [&](const Vector& theta) {
    const Frequencies g = k.with_parameters(theta).frequencies(noise);
    return dL.Omega1.cwiseProduct(g.Omega1).sum() + dL.Omega2.cwiseProduct(g.Omega2).sum() +
           dL.amplitude.dot(g.amplitude);
  };
  expect_gradient(loss, k.parameters(), k.frequencies_pullback(noise, dL), 1e-8, "frequencies");
}

}  // namespace bochner::testing
