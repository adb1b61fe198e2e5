#include "bochner/features/linear_features.hpp"

#include "check_blocks.hpp"

namespace bochner {

LinearGradient& LinearGradient::operator+=(const LinearGradient& other) {
  dlog_weight += other.dlog_weight;
  return *this;
}

template <class T>
void LinearFeatures<T>::fill(MatrixInT<T> X, MatrixOutT<T> Phi) const {
  check_fill<T>("LinearFeatures::fill", *this, X, Phi);
  const VectorT<T> weight = log_weight.array().exp();
  Phi = X * weight.asDiagonal();
}

template <class T>
void LinearFeatures<T>::pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX,
                             Gradient& g) const {
  check_pull<T>("LinearFeatures::pull", *this, X, Phi, dL_dPhi, dL_dX);
  const VectorT<T> weight = log_weight.array().exp();
  dL_dX += dL_dPhi * weight.asDiagonal();
  g.dlog_weight +=
      Phi.cwiseProduct(dL_dPhi).colwise().sum().transpose().template cast<double>();  // dphi/dlog w = phi
}

template struct LinearFeatures<double>;
template struct LinearFeatures<float>;

}  // namespace bochner
