#include "bochner/compute/products.hpp"

#include <algorithm>

#include "bochner/compute/bytes.hpp"
#include "bochner/compute/lane_sum.hpp"
#include "bochner/core/checks.hpp"
#include "lower_tiles.hpp"

namespace bochner {
namespace {

/// Rows of a task of A B: B is packed anew for each, so few large ones, but enough to share out.
Index row_block(Index rows) { return rows >= 1000 ? 256 : 128; }

/// Side of a task's tile of an n x n result: enough tiles to share out where n is small, large ones where it is not.
Index tile_side(Index n) { return n <= 512 ? 48 : 192; }

constexpr Index triangular_columns = 64;  // of a task of a triangular product

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
  return sum_over_rows<MatrixT<T>>(compute, RowPlan::make(A.rows()), MatrixT<T>::Zero(A.cols(), B.cols()),
                                   [&](MatrixT<T>& sum, Index begin, Index size) {
                                     sum.noalias() +=
                                         A.middleRows(begin, size).transpose() * B.middleRows(begin, size);
                                   });
}

template <class T>
MatrixT<T> inner_gram(MatrixInT<T> A, const Compute& compute) {
  MatrixT<T> C = sum_over_rows<MatrixT<T>>(
      compute, RowPlan::make(A.rows()), MatrixT<T>::Zero(A.cols(), A.cols()),
      [&](MatrixT<T>& sum, Index begin, Index size) {
        sum.template selfadjointView<Eigen::Lower>().rankUpdate(A.middleRows(begin, size).transpose());
      });
  mirror_lower<T>(C, compute);
  return C;
}

template <class T>
MatrixT<T> outer_gram(MatrixInT<T> A, const Compute& compute) {
  const Index n = A.rows();
  MatrixT<T> C(n, n);
  for_each_lower_tile(compute, n, tile_side(n), [&](Index i, Index ni, Index j, Index nj) {
    C.block(i, j, ni, nj).noalias() = A.middleRows(i, ni) * A.middleRows(j, nj).transpose();
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
  return sum_over_rows<double>(compute, RowPlan::make(A.rows()), 0,
                               [&](double& sum, Index begin, Index size) {
                                 sum += A.middleRows(begin, size).template cast<double>().squaredNorm();
                               });
}

namespace {

constexpr Index gram_tile = 192;

void add_tiles(MatrixIn A, MatrixOut C, const Compute& compute, Index rank, Index ranks) {
  for_each_lower_tile(
      compute, A.cols(), gram_tile,
      [&](Index i, Index ni, Index j, Index nj) {
        C.block(i, j, ni, nj).noalias() += A.middleCols(i, ni).transpose() * A.middleCols(j, nj);
      },
      rank, ranks);
}

}  // namespace

void add_inner_gram(MatrixIn A, MatrixOut C, const Compute& compute) {
  check_size("add_inner_gram", "rows of C", C.rows(), "columns of A", A.cols());
  check_size("add_inner_gram", "columns of C", C.cols(), "columns of A", A.cols());
  add_tiles(A, C, compute, 0, 1);
}

void add_shared_inner_gram(MatrixIn A, MatrixOut C, const Compute& compute) {
  check_size("add_shared_inner_gram", "rows of C", C.rows(), "columns of A", A.cols());
  check_size("add_shared_inner_gram", "columns of C", C.cols(), "columns of A", A.cols());
  add_tiles(A, C, compute, compute.comm.rank(), compute.comm.size());
}

void gather_shared_inner_gram(MatrixOut C, const Compute& compute) {
  if (compute.comm.is_alone()) return;
  const Compute one(Threads(1));  // tiles in their order
  std::vector<Matrix> own;
  for_each_lower_tile(
      one, C.rows(), gram_tile,
      [&](Index i, Index ni, Index j, Index nj) { own.push_back(C.block(i, j, ni, nj)); },
      compute.comm.rank(), compute.comm.size());
  ByteWriter bytes;
  bytes.add(own);
  const std::vector<std::string> parts = compute.comm.all_gather(bytes.take());
  for (Index r = 0; r < compute.comm.size(); ++r) {
    ByteReader(parts[static_cast<std::size_t>(r)]).read(own);
    auto tile = own.begin();
    for_each_lower_tile(
        one, C.rows(), gram_tile,
        [&](Index i, Index ni, Index j, Index nj) { C.block(i, j, ni, nj) = *tile++; }, r,
        compute.comm.size());
  }
}

Matrix lower_times(MatrixIn L, MatrixIn A, const Compute& compute) {
  check_size("lower_times", "rows of A", A.rows(), "columns of L", L.cols());
  Matrix out(A.rows(), A.cols());
  for_each_block(compute, A.cols(), triangular_columns, [&](Index begin, Index size) {
    out.middleCols(begin, size).noalias() = L.triangularView<Eigen::Lower>() * A.middleCols(begin, size);
  });
  return out;
}

Matrix lower_transposed_times(MatrixIn L, MatrixIn A, const Compute& compute) {
  check_size("lower_transposed_times", "rows of A", A.rows(), "rows of L", L.rows());
  Matrix out(A.rows(), A.cols());
  for_each_block(compute, A.cols(), triangular_columns, [&](Index begin, Index size) {
    out.middleCols(begin, size).noalias() =
        L.transpose().triangularView<Eigen::Upper>() * A.middleCols(begin, size);
  });
  return out;
}

Matrix lower_of_product(MatrixIn A, MatrixIn B, const Compute& compute) {
  check_size("lower_of_product", "rows of B", B.rows(), "rows of A", A.rows());
  check_size("lower_of_product", "columns of B", B.cols(), "columns of A", A.cols());
  Matrix out = Matrix::Zero(A.rows(), A.rows());
  for_each_lower_tile(compute, A.rows(), 128, [&](Index i, Index ni, Index j, Index nj) {
    out.block(i, j, ni, nj).noalias() = A.middleRows(i, ni) * B.middleRows(j, nj).transpose();
    if (i == j) out.block(i, j, ni, nj).triangularView<Eigen::StrictlyUpper>().setZero();
  });
  return out;
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
