#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

// Matrix products that use all threads and give the same bytes for any number of them. Eigen's own rank update is
// single-threaded and its parallel product cuts by the thread count; here the cut depends on the shapes alone.
// T is double or float.

/// A B, (n x k)(k x m): row blocks of the result.
template <class T>
MatrixT<T> multiply(MatrixInT<T> A, MatrixInT<T> B, const Compute& compute);

/// A'B, (n x k)'(n x m): row blocks of A and B, summed per lane and then over lanes.
template <class T>
MatrixT<T> multiply_transposed(MatrixInT<T> A, MatrixInT<T> B, const Compute& compute);

/// A'A, k x k, symmetric to the bit.
template <class T>
MatrixT<T> inner_gram(MatrixInT<T> A, const Compute& compute);

/// A A', n x n, symmetric to the bit.
template <class T>
MatrixT<T> outer_gram(MatrixInT<T> A, const Compute& compute);

/// C += A'A, the lower triangle of C alone; whole tiles on the diagonal. Each entry is one sum over rows in order, for
/// rows that come in portions.
void add_inner_gram(MatrixIn A, MatrixOut C, const Compute& compute);

/// The same by the ranks of compute.comm, each of which does some of the tiles; `gather` brings them together in the end.
void add_shared_inner_gram(MatrixIn A, MatrixOut C, const Compute& compute);
void gather_shared_inner_gram(MatrixOut C, const Compute& compute);

/// L A and L'A for a lower triangular L, m x m times m x n.
Matrix lower_times(MatrixIn L, MatrixIn A, const Compute& compute);
Matrix lower_transposed_times(MatrixIn L, MatrixIn A, const Compute& compute);

/// The lower triangle of A B', (m x n)(m x n)', with zeros above.
Matrix lower_of_product(MatrixIn A, MatrixIn B, const Compute& compute);

/// Copies the lower triangle onto the upper one.
template <class T>
void mirror_lower(MatrixOutT<T> A, const Compute& compute);

/// |A|_F^2, summed in double whatever T is.
template <class T>
double squared_norm(MatrixInT<T> A, const Compute& compute);

}  // namespace bochner
