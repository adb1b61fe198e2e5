#include "bochner/compute/products.hpp"

#include <algorithm>
#include <vector>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

/// Rows of a task of A B: B is packed anew for each, so few large ones, but enough to share out.
Index row_block(Index rows) { return rows >= 1000 ? 256 : 128; }

/// Side of a task's tile of an n x n result: enough tiles to share out where n is small, large ones where it is not.
Index tile_side(Index n) { return n <= 512 ? 48 : 192; }

}  // namespace

template <class T>
MatrixT<T> multiply(MatrixInT<T> A, MatrixInT<T> B, const Compute& compute) {
  check_size("multiply", "rows of B", B.rows(), "columns of A", A.cols());
  MatrixT<T> C(A.rows(), B.cols());
  for_each_block(compute, A.rows(), row_block(A.rows()), [&](Index begin, Index size) {
    C.middleRows(begin, size).noalias() = A.middleRows(begin, size) * B;
  });
  return C;
}

template <class T>
MatrixT<T> multiply_transposed(MatrixInT<T> A, MatrixInT<T> B, const Compute& compute) {
  check_size("multiply_transposed", "rows of B", B.rows(), "rows of A", A.rows());
  const RowPlan plan = RowPlan::make(A.rows());
  std::vector<MatrixT<T>> sums(plan.lanes, MatrixT<T>::Zero(A.cols(), B.cols()));
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    sums[lane].noalias() += A.middleRows(begin, size).transpose() * B.middleRows(begin, size);
  });
  for (Index lane = 1; lane < plan.lanes; ++lane) sums[0] += sums[lane];
  return std::move(sums[0]);
}

template <class T>
MatrixT<T> inner_gram(MatrixInT<T> A, const Compute& compute) {
  const RowPlan plan = RowPlan::make(A.rows());
  std::vector<MatrixT<T>> sums(plan.lanes, MatrixT<T>::Zero(A.cols(), A.cols()));
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    sums[lane].template selfadjointView<Eigen::Lower>().rankUpdate(A.middleRows(begin, size).transpose());
  });
  for (Index lane = 1; lane < plan.lanes; ++lane) sums[0] += sums[lane];
  mirror_lower<T>(sums[0], compute);
  return std::move(sums[0]);
}

template <class T>
MatrixT<T> outer_gram(MatrixInT<T> A, const Compute& compute) {
  const Index n = A.rows(), tile = tile_side(n), tiles = (n + tile - 1) / tile;
  MatrixT<T> C(n, n);
  compute.threads.run(tiles * (tiles + 1) / 2, [&](Index task) {  // tiles (i, j) on and below the diagonal
    Index i = 0;
    while (task > i) task -= ++i;
    const Index j = task, bi = i * tile, bj = j * tile;
    const Index ni = std::min(tile, n - bi), nj = std::min(tile, n - bj);
    C.block(bi, bj, ni, nj).noalias() = A.middleRows(bi, ni) * A.middleRows(bj, nj).transpose();
  });
  mirror_lower<T>(C, compute);
  return C;
}

template <class T>
void mirror_lower(MatrixOutT<T> A, const Compute& compute) {
  check_size("mirror_lower", "columns of A", A.cols(), "rows of A", A.rows());
  constexpr Index small = 32;  // tiles that fit the first cache, so that the transposed reads are not misses
  const Index n = A.rows();
  for_each_block(compute, n, small, [&](Index i, Index ni) {
    for (Index j = i; j < n; j += small) {
      const Index nj = std::min(small, n - j);
      if (j == i)
        A.block(i, i, ni, ni).template triangularView<Eigen::StrictlyUpper>() =
            A.block(i, i, ni, ni).transpose();
      else
        A.block(i, j, ni, nj) = A.block(j, i, nj, ni).transpose();
    }
  });
}

template <class T>
double squared_norm(MatrixInT<T> A, const Compute& compute) {
  const RowPlan plan = RowPlan::make(A.rows());
  Vector sums = Vector::Zero(plan.lanes);
  for_each_block(compute, plan, [&](Index lane, Index begin, Index size) {
    sums(lane) += A.middleRows(begin, size).template cast<double>().squaredNorm();
  });
  return sums.sum();
}

#define BOCHNER_INSTANTIATE(T)                                                            \
  template MatrixT<T> multiply<T>(MatrixInT<T>, MatrixInT<T>, const Compute&);            \
  template MatrixT<T> multiply_transposed<T>(MatrixInT<T>, MatrixInT<T>, const Compute&); \
  template MatrixT<T> inner_gram<T>(MatrixInT<T>, const Compute&);                        \
  template MatrixT<T> outer_gram<T>(MatrixInT<T>, const Compute&);                        \
  template void mirror_lower<T>(MatrixOutT<T>, const Compute&);                           \
  template double squared_norm<T>(MatrixInT<T>, const Compute&);
BOCHNER_INSTANTIATE(double)
BOCHNER_INSTANTIATE(float)

}  // namespace bochner
