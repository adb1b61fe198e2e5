#pragma once
#include "bochner/features/feature_map.hpp"

namespace bochner {

struct LinearGradient {
  Vector dlog_weight;  // D
  LinearGradient& operator+=(const LinearGradient& other);
};

/// Phi = X diag(w), F = D: the linear kernel k(x, y) = sum_d w_d^2 x_d y_d without approximation.
template <class T>
struct LinearFeatures {
  using Scalar = T;
  using Gradient = LinearGradient;

  VectorT<T> log_weight;  // D, log w_d

  Index input_dims() const { return log_weight.size(); }
  Index count() const { return log_weight.size(); }

  Gradient zero_gradient() const { return {Vector::Zero(log_weight.size())}; }
  void fill(MatrixInT<T> X, MatrixOutT<T> Phi) const;
  void pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX, Gradient& g) const;
  void complete(Gradient&, const Compute&) const {}
};

extern template struct LinearFeatures<double>;
extern template struct LinearFeatures<float>;

}  // namespace bochner
