#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "bochner/core/errors.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/kpca/kpca.hpp"

namespace bochner::testing {

inline constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

/// Tables "a", "b", .. over the samples "0", "1", ..
inline Dataset tables(const std::vector<Matrix>& Y) {
  std::vector<View> views;
  for (std::size_t v = 0; v < Y.size(); ++v) views.push_back(make_view(std::string(1, char('a' + v)), Y[v]));
  return join(std::move(views));
}

/// Three tables (4, 3 and 2 columns) of n samples: smooth functions of two numbers per sample, and noise.
inline std::vector<Matrix> three_tables(std::uint64_t seed, Index n, double noise = 0.1) {
  const Matrix Z = Rng(seed).split("latents").normal(n, 2);
  std::vector<Matrix> out;
  for (const Index M : {4, 3, 2}) {
    const Matrix W = Rng(seed).split(std::uint64_t(M)).normal(2, M);
    const Matrix F = Z * W, E = Rng(seed).split(std::uint64_t(10 + M)).normal(n, M);
    out.push_back(3.0 * double(M) + F.array() + 0.3 * (2 * F.array()).sin() + noise * E.array());
  }
  return out;
}

/// The rows of each table.
inline std::vector<Matrix> rows_of(const std::vector<Matrix>& Y, Index begin, Index size) {
  std::vector<Matrix> out;
  for (const Matrix& y : Y) out.push_back(y.middleRows(begin, size));
  return out;
}

/// Each column with the sign that brings it nearest to that of `to`.
inline Matrix with_signs_of(Matrix A, const Matrix& to) {
  for (Index j = 0; j < A.cols(); ++j)
    if (A.col(j).dot(to.col(j)) < 0) A.col(j) *= -1;
  return A;
}

/// M K M with M = I - 11'/n.
inline Matrix centred(const Matrix& K) {
  const Index n = K.rows();
  const Matrix M = Matrix::Identity(n, n) - Matrix::Constant(n, n, 1.0 / double(n));
  return M * K * M;
}

/// Columns with mean 0 and, with divisor n, variance 1.
inline Matrix standardised(const Matrix& Y) {
  Matrix Z = Y.rowwise() - Y.colwise().mean();
  for (Index m = 0; m < Z.cols(); ++m) Z.col(m) /= std::sqrt(Z.col(m).squaredNorm() / double(Z.rows()));
  return Z;
}

inline double largest(const Matrix& A) { return A.cwiseAbs().maxCoeff(); }

inline bool all_nan(const Matrix& A) { return A.array().isNaN().all(); }

/// 1 - squared error over squared deviation from the column means of Y.
inline double r2(const Matrix& Y, const Matrix& predicted) {
  return 1 - (Y - predicted).squaredNorm() / (Y.rowwise() - Y.colwise().mean()).squaredNorm();
}

/// The message of the InputError that f throws; a failure if it throws none.
template <class F>
std::string input_error(F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "not an InputError: " << error.what();
    return {};
  }
  ADD_FAILURE() << "no InputError";
  return {};
}

}  // namespace bochner::testing
