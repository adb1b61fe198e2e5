#include "bochner/kernels/gram.hpp"

namespace bochner {
namespace {

/// f(first column, columns) for square pieces of a tile: a piece and its transpose both fit the nearest cache.
template <class F>
void for_each_piece(Index col, Index width, const F& f) {
  constexpr Index piece = 32;
  for (Index c = col; c < col + width; c += piece) f(c, std::min(piece, col + width - c));
}

}  // namespace

void mirror_tile(Index begin, Index size, Index col, Index width, MatrixOut G) {
  if (col == begin) {  // the diagonal block: its lower triangle decides
    for (Index i = begin; i < begin + size; ++i)
      for (Index j = i + 1; j < begin + size; ++j) G(i, j) = G(j, i);
    return;
  }
  for_each_piece(col, width, [&](Index c, Index n) {
    for (Index j = c; j < c + n; ++j)
      for (Index i = begin; i < begin + size; ++i) G(j, i) = G(i, j);
  });
}

void fold_tile(Index begin, Index size, Index col, Index width, MatrixIn dL_dG, MatrixOut S) {
  if (col == begin) {
    S.setZero();
    for (Index i = 0; i < size; ++i) {
      for (Index j = 0; j < i; ++j) S(i, j) = dL_dG(begin + i, begin + j) + dL_dG(begin + j, begin + i);
      S(i, i) = dL_dG(begin + i, begin + i);
    }
    return;
  }
  for_each_piece(col, width, [&](Index c, Index n) {
    for (Index i = 0; i < size; ++i)
      for (Index j = c; j < c + n; ++j) S(i, j - col) = dL_dG(begin + i, j) + dL_dG(j, begin + i);
  });
}

void fold_sum(LaneSum<GramPullbackSum>& sum, const Compute& compute, GramPullback& out) {
  const GramPullbackSum total = sum.total(compute);
  out.dtheta += total.dtheta;
  out.dX += total.dZ;
}

}  // namespace bochner
