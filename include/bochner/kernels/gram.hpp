#pragma once
#include <algorithm>

#include "bochner/compute/compute.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/types.hpp"
#include "bochner/kernels/kernel.hpp"

namespace bochner {

// Gram matrices and their adjoints, cut into tiles of gram_rows x gram_cols entries: row blocks run in parallel, and a
// tile is small enough to stay in cache between the passes a kernel makes over it.
inline constexpr Index gram_rows = 64;
inline constexpr Index gram_cols = 256;

struct GramPullback {
  Vector dtheta;
  Matrix dX;  // N x D
  Matrix dZ;  // M x D
};

/// Copies the transpose of rows [begin, begin + size) x columns [col, col + width) of G, which lie below the diagonal,
/// to its place above.
void mirror_tile(Index begin, Index size, Index col, Index width, MatrixOut G);

/// What a tile on or below the diagonal carries when only those are visited: A_ij + A_ji below, A_ii on the diagonal,
/// 0 above. S is size x width for rows [begin, begin + size) and columns [col, col + width) of A = dL_dG.
void fold_tile(Index begin, Index size, Index col, Index width, MatrixIn dL_dG, MatrixOut S);

template <Kernel K>
void check_inputs(const char* function, const K& k, MatrixIn X) {
  if (k.input_dims() > 0)
    check_size(function, "columns of X", X.cols(), "the kernel's input dimensions", k.input_dims());
}

/// f(col, width) for tiles of columns 0 .. cols-1.
template <class F>
void for_each_tile(Index cols, const F& f) {
  for (Index col = 0; col < cols; col += gram_cols) f(col, std::min(gram_cols, cols - col));
}

/// K(i, j) = k(x_i, z_j), N x M.
template <Kernel K>
Matrix gram(const K& k, MatrixIn X, MatrixIn Z, const Compute& compute) {
  check_inputs("gram", k, X);
  check_size("gram", "columns of Z", Z.cols(), "columns of X", X.cols());
  Matrix G(X.rows(), Z.rows());
  for_each_block(compute, X.rows(), gram_rows, [&](Index begin, Index size) {
    for_each_tile(Z.rows(), [&](Index col, Index width) {
      k.gram_block(X.middleRows(begin, size), Z.middleRows(col, width), G.block(begin, col, size, width));
    });
  });
  return G;
}

/// The symmetric Gram matrix: tiles on and below the diagonal, mirrored, so that K equals its transpose to the bit.
template <Kernel K>
Matrix gram(const K& k, MatrixIn X, const Compute& compute) {
  check_inputs("gram", k, X);
  Matrix G(X.rows(), X.rows());
  for_each_block(compute, X.rows(), gram_rows, [&](Index begin, Index size) {
    const auto tile = [&](Index col, Index width) {
      k.gram_block(X.middleRows(begin, size), X.middleRows(col, width), G.block(begin, col, size, width));
      mirror_tile(begin, size, col, width, G);
    };
    for_each_tile(begin, tile);  // left of the diagonal block
    tile(begin, size);
  });
  return G;
}

/// Adjoints of gram(k, X, Z) = G.
template <Kernel K>
GramPullback gram_pullback(const K& k, MatrixIn X, MatrixIn Z, MatrixIn G, MatrixIn dL_dG,
                           const Compute& compute) {
  check_inputs("gram_pullback", k, X);
  check_size("gram_pullback", "columns of Z", Z.cols(), "columns of X", X.cols());
  check_size("gram_pullback", "rows of G", G.rows(), "rows of X", X.rows());
  check_size("gram_pullback", "columns of G", G.cols(), "rows of Z", Z.rows());
  check_size("gram_pullback", "rows of dL_dG", dL_dG.rows(), "rows of X", X.rows());
  check_size("gram_pullback", "columns of dL_dG", dL_dG.cols(), "rows of Z", Z.rows());
  const Index M = Z.rows(), P = k.parameter_count();
  const RowPlan plan = RowPlan::make(X.rows(), gram_rows);
  Matrix dtheta = Matrix::Zero(plan.lanes, P);
  Matrix dZ = Matrix::Zero(plan.lanes * M, Z.cols());  // one slab per lane
  GramPullback out{Vector::Zero(P), Matrix::Zero(X.rows(), X.cols()), Matrix::Zero(M, Z.cols())};
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    for_each_tile(M, [&](Index col, Index width) {
      KernelAdjoint adjoint{dtheta.row(lane).transpose(), out.dX.middleRows(begin, size),
                            dZ.middleRows(lane * M + col, width)};
      k.pull_block(X.middleRows(begin, size), Z.middleRows(col, width), G.block(begin, col, size, width),
                   dL_dG.block(begin, col, size, width), adjoint);
    });
  });
  for (Index lane = 0; lane < plan.lanes; ++lane) {
    out.dtheta += dtheta.row(lane).transpose();
    out.dZ += dZ.middleRows(lane * M, M);
  }
  return out;
}

/// Adjoints of the symmetric gram(k, X) = G for any dL_dG, symmetric or not; dZ is folded into dX and left empty.
/// k(x_i, x_j) = k(x_j, x_i) meets dL_dG(i, j) + dL_dG(j, i), so half of the tiles suffice.
template <Kernel K>
GramPullback gram_pullback(const K& k, MatrixIn X, MatrixIn G, MatrixIn dL_dG, const Compute& compute) {
  check_inputs("gram_pullback", k, X);
  const Index N = X.rows(), P = k.parameter_count();
  for (const Index size : {G.rows(), G.cols(), dL_dG.rows(), dL_dG.cols()})
    check_size("gram_pullback", "size of G and dL_dG", size, "rows of X", N);
  const RowPlan plan = RowPlan::make(N, gram_rows);
  Matrix dtheta = Matrix::Zero(plan.lanes, P);
  Matrix dZ = Matrix::Zero(plan.lanes * N, X.cols());
  GramPullback out{Vector::Zero(P), Matrix::Zero(N, X.cols()), Matrix(0, X.cols())};
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    const auto tile = [&](Index col, Index width) {
      Matrix S(size, width);
      fold_tile(begin, size, col, width, dL_dG, S);
      KernelAdjoint adjoint{dtheta.row(lane).transpose(), out.dX.middleRows(begin, size),
                            dZ.middleRows(lane * N + col, width)};
      k.pull_block(X.middleRows(begin, size), X.middleRows(col, width), G.block(begin, col, size, width), S,
                   adjoint);
    };
    for_each_tile(begin, tile);
    tile(begin, size);
  });
  for (Index lane = 0; lane < plan.lanes; ++lane) {
    out.dtheta += dtheta.row(lane).transpose();
    out.dX += dZ.middleRows(lane * N, N);
  }
  return out;
}

}  // namespace bochner
