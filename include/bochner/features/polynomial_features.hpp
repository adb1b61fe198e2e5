#pragma once
#include "bochner/features/feature_map.hpp"
#include "bochner/kernels/polynomial.hpp"

namespace bochner {

struct PolynomialGradient {
  Vector dlog_weight;      // D
  double dlog_offset = 0;  // of the kernel's offset
  PolynomialGradient& operator+=(const PolynomialGradient& other);
};

/// The polynomial kernel (sum_d w_d x_d y_d + offset)^p without approximation: with z = (sqrt(offset), sqrt(w) o x), one
/// feature per multiset i_1 <= .. <= i_p of entries of z,
///
///   phi = sqrt(p! / prod of the factorials of multiplicities) z_(i_1) .. z_(i_p)
///
/// F = (D + p choose p).
template <class T>
struct PolynomialFeatures {
  using Scalar = T;
  using Gradient = PolynomialGradient;

  VectorT<T> log_weight;  // D
  T log_offset = 0;
  MatrixT<int> entries;    // F x p, i_1 <= .. <= i_p; 0 is the offset, d the input d - 1
  VectorT<T> coefficient;  // F

  /// InputError if there would be more than 100,000 of them.
  static PolynomialFeatures from(const Polynomial& kernel);
  Index input_dims() const { return log_weight.size(); }
  Index count() const { return entries.rows(); }

  Gradient zero_gradient() const { return {Vector::Zero(log_weight.size()), 0}; }
  void fill(MatrixInT<T> X, MatrixOutT<T> Phi) const;
  void pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX, Gradient& g) const;
  void complete(Gradient&, const Compute&) const {}

 private:
  MatrixT<T> inputs(MatrixInT<T> X) const;  // n x (D + 1), the z of each row
};

extern template struct PolynomialFeatures<double>;
extern template struct PolynomialFeatures<float>;

}  // namespace bochner
