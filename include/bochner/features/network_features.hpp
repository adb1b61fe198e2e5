#pragma once
#include <vector>

#include "bochner/features/feature_map.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

struct NetworkGradient {
  std::vector<Matrix> dW;
  std::vector<Vector> db;
  NetworkGradient& operator+=(const NetworkGradient& other);
};

/// A small trainable network: x -> tanh(W_1'x + b_1) -> .. -> W_K'h + b_K. The last layer is linear, so that features may
/// take any value; one layer alone is an affine map. Serves as feature map and as pre-image map [achten2023, Sec. 4.2].
template <class T>
struct NetworkFeatures {
  using Scalar = T;
  using Gradient = NetworkGradient;

  std::vector<MatrixT<T>> W;  // layer k: width_k x width_(k+1)
  std::vector<VectorT<T>> b;  // width_(k+1)

  /// Widths from the inputs to the features, two or more. Weights N(0, 1 / width of the layer below), biases zero.
  static NetworkFeatures random(const std::vector<Index>& widths, Rng rng);
  Index input_dims() const { return W.front().rows(); }
  Index count() const { return W.back().cols(); }

  Index parameter_count() const;
  VectorT<T> parameters() const;  // W_1, b_1, W_2, ..
  NetworkFeatures with_parameters(VectorInT<T> theta) const;
  static Vector flat(const Gradient& g);  // in the order of parameters()

  Gradient zero_gradient() const;
  void fill(MatrixInT<T> X, MatrixOutT<T> Phi) const;
  void pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX, Gradient& g) const;
  void complete(Gradient&, const Compute&) const {}
};

extern template struct NetworkFeatures<double>;
extern template struct NetworkFeatures<float>;

}  // namespace bochner
