#pragma once
#include "bochner/core/checks.hpp"
#include "bochner/core/threads.hpp"
#include "bochner/core/types.hpp"
#include "bochner/kernels/kernel.hpp"

namespace bochner {

struct GramPullback {
  Vector dtheta;
  Matrix dX;  // N x D
  Matrix dZ;  // M x D
};

template <Kernel K>
void check_inputs(const char* function, const K& k, MatrixIn X) {
  if (k.input_dims() > 0) check_size(function, "columns of X", X.cols(), "the kernel's input dimensions", k.input_dims());
}

/// K(i, j) = k(x_i, z_j), N x M. Row blocks in parallel.
template <Kernel K>
Matrix gram(const K& k, MatrixIn X, MatrixIn Z, const Threads& threads) {
  check_inputs("gram", k, X);
  check_size("gram", "columns of Z", Z.cols(), "columns of X", X.cols());
  Matrix G(X.rows(), Z.rows());
  for_each_block(threads, X.rows(), 64,
                 [&](Index begin, Index size) { k.gram_block(X.middleRows(begin, size), Z, G.middleRows(begin, size)); });
  return G;
}

/// The symmetric Gram matrix: blocks on and below the diagonal, mirrored, so that K equals its transpose to the bit.
template <Kernel K>
Matrix gram(const K& k, MatrixIn X, const Threads& threads) {
  check_inputs("gram", k, X);
  const Index N = X.rows();
  Matrix G(N, N);
  for_each_block(threads, N, 64, [&](Index begin, Index size) {
    k.gram_block(X.middleRows(begin, size), X.topRows(begin + size), G.block(begin, 0, size, begin + size));
  });
  for_each_block(threads, N, 64, [&](Index begin, Index size) {
    for (Index i = begin; i < begin + size; ++i)
      for (Index j = i + 1; j < N; ++j) G(i, j) = G(j, i);
  });
  return G;
}

/// Adjoints of gram(k, X, Z) = G.
template <Kernel K>
GramPullback gram_pullback(const K& k, MatrixIn X, MatrixIn Z, MatrixIn G, MatrixIn dL_dG, const Threads& threads) {
  check_inputs("gram_pullback", k, X);
  check_size("gram_pullback", "rows of dL_dG", dL_dG.rows(), "rows of X", X.rows());
  check_size("gram_pullback", "columns of dL_dG", dL_dG.cols(), "rows of Z", Z.rows());
  const Index D = X.cols(), P = k.parameter_count();
  const RowPlan plan = RowPlan::make(X.rows(), 64);
  Matrix dtheta = Matrix::Zero(plan.lanes, P);
  Matrix dZ = Matrix::Zero(plan.lanes * Z.rows(), D);  // one slab per lane
  GramPullback out{Vector::Zero(P), Matrix::Zero(X.rows(), D), Matrix::Zero(Z.rows(), D)};
  for_each_block(threads, plan, [&](Index lane, Index begin, Index size) {
    KernelAdjoint adjoint{dtheta.row(lane).transpose(), out.dX.middleRows(begin, size),
                          dZ.middleRows(lane * Z.rows(), Z.rows())};
    k.pull_block(X.middleRows(begin, size), Z, G.middleRows(begin, size), dL_dG.middleRows(begin, size), adjoint);
  });
  for (Index lane = 0; lane < plan.lanes; ++lane) {
    out.dtheta += dtheta.row(lane).transpose();
    out.dZ += dZ.middleRows(lane * Z.rows(), Z.rows());
  }
  return out;
}

/// Adjoints of the symmetric gram(k, X) = G for any dL_dG, symmetric or not; dZ is folded into dX and left empty.
template <Kernel K>
GramPullback gram_pullback(const K& k, MatrixIn X, MatrixIn G, MatrixIn dL_dG, const Threads& threads) {
  GramPullback out = gram_pullback(k, X, X, G, dL_dG, threads);
  out.dX += out.dZ;
  out.dZ.resize(0, X.cols());
  return out;
}

}  // namespace bochner
