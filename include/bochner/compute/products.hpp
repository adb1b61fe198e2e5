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

/// Copies the lower triangle onto the upper one.
template <class T>
void mirror_lower(MatrixOutT<T> A, const Compute& compute);

/// |A|_F^2, summed in double whatever T is.
template <class T>
double squared_norm(MatrixInT<T> A, const Compute& compute);

}  // namespace bochner
