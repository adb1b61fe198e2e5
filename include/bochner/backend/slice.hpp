#pragma once
#include <cstddef>

namespace bochner {

/// A row-major matrix in the memory of a device, or a batch of matrices of one shape: what the operations of an Engine take.
/// Copies share the memory. Free of Eigen, as everything that CUDA sources include.
struct Slice {
  using Size = std::ptrdiff_t;

  double* at = nullptr;
  Size rows = 0, cols = 0;
  Size stride = 0;  // from one row to the next
  Size batch = 1;
  Size step = 0;  // from one matrix of the batch to the next

  Size size() const { return rows * cols; }

  Slice block(Size row, Size col, Size row_count, Size col_count) const {
    return {at + row * stride + col, row_count, col_count, stride, batch, step};
  }
  Slice columns(Size first, Size count) const { return block(0, first, rows, count); }
  Slice top_rows(Size count) const { return block(0, 0, count, cols); }
  Slice one(Size index) const { return {at + index * step, rows, cols, stride, 1, 0}; }

  /// Neighbouring rows as a batch of `count` matrices, which must divide the number of rows.
  Slice lanes(Size count) const { return {at, rows / count, cols, stride, count, rows / count * stride}; }
};

/// A matrix, or its transpose, as a factor of a product.
struct Factor {
  Slice matrix;
  bool transposed = false;

  Factor(const Slice& A) : matrix(A) {}
  Factor(const Slice& A, bool turn) : matrix(A), transposed(turn) {}
  Slice::Size rows() const { return transposed ? matrix.cols : matrix.rows; }
  Slice::Size cols() const { return transposed ? matrix.rows : matrix.cols; }
};
inline Factor transposed(const Slice& A) { return {A, true}; }

/// Frequencies of random Fourier features (features/fourier_features.hpp) as the waves are made of them: pairs by half the
/// sum and half the difference of the two, so that Phi = 2 c cos(b) [cos a, sin a]; single ones as they are.
struct FeatureWaves {
  Slice mean;                         // D x J: neighbouring frequencies lie side by side
  Slice half;                         // D x J, or no rows
  const double* amplitude = nullptr;  // J
  bool paired() const { return half.rows > 0; }
};

}  // namespace bochner
