#include "bochner/features/network_features.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "check_blocks.hpp"

namespace bochner {

NetworkGradient& NetworkGradient::operator+=(const NetworkGradient& other) {
  for (std::size_t k = 0; k < dW.size(); ++k) {
    dW[k] += other.dW[k];
    db[k] += other.db[k];
  }
  return *this;
}

template <class T>
NetworkFeatures<T> NetworkFeatures<T>::random(const std::vector<Index>& widths, Rng rng) {
  check_at_least("NetworkFeatures::random", "number of widths", Index(widths.size()), 2);
  NetworkFeatures out;
  for (std::size_t k = 0; k + 1 < widths.size(); ++k) {
    check_at_least("NetworkFeatures::random", "width", std::min(widths[k], widths[k + 1]), 1);
    const Matrix draws = rng.split("layer").split(k).normal(widths[k], widths[k + 1]);
    out.W.push_back((draws / std::sqrt(double(widths[k]))).template cast<T>());
    out.b.push_back(VectorT<T>::Zero(widths[k + 1]));
  }
  return out;
}

template <class T>
Index NetworkFeatures<T>::parameter_count() const {
  Index size = 0;
  for (std::size_t k = 0; k < W.size(); ++k) size += W[k].size() + b[k].size();
  return size;
}

template <class T>
VectorT<T> NetworkFeatures<T>::parameters() const {
  VectorT<T> theta(parameter_count());
  Index at = 0;
  for (std::size_t k = 0; k < W.size(); ++k) {
    theta.segment(at, W[k].size()) = Eigen::Map<const VectorT<T>>(W[k].data(), W[k].size());
    at += W[k].size();
    theta.segment(at, b[k].size()) = b[k];
    at += b[k].size();
  }
  return theta;
}

template <class T>
NetworkFeatures<T> NetworkFeatures<T>::with_parameters(VectorInT<T> theta) const {
  check_size("NetworkFeatures::with_parameters", "size of theta", theta.size(), "the number of parameters",
             parameter_count());
  NetworkFeatures out = *this;
  Index at = 0;
  for (std::size_t k = 0; k < W.size(); ++k) {
    Eigen::Map<VectorT<T>>(out.W[k].data(), W[k].size()) = theta.segment(at, W[k].size());
    at += W[k].size();
    out.b[k] = theta.segment(at, b[k].size());
    at += b[k].size();
  }
  return out;
}

template <class T>
Vector NetworkFeatures<T>::flat(const Gradient& g) {
  Index size = 0;
  for (std::size_t k = 0; k < g.dW.size(); ++k) size += g.dW[k].size() + g.db[k].size();
  Vector out(size);
  Index at = 0;
  for (std::size_t k = 0; k < g.dW.size(); ++k) {
    out.segment(at, g.dW[k].size()) = Eigen::Map<const Vector>(g.dW[k].data(), g.dW[k].size());
    at += g.dW[k].size();
    out.segment(at, g.db[k].size()) = g.db[k];
    at += g.db[k].size();
  }
  return out;
}

template <class T>
NetworkGradient NetworkFeatures<T>::zero_gradient() const {
  NetworkGradient g;
  for (std::size_t k = 0; k < W.size(); ++k) {
    g.dW.push_back(Matrix::Zero(W[k].rows(), W[k].cols()));
    g.db.push_back(Vector::Zero(b[k].size()));
  }
  return g;
}

template <class T>
void NetworkFeatures<T>::fill(MatrixInT<T> X, MatrixOutT<T> Phi) const {
  check_fill<T>("NetworkFeatures::fill", *this, X, Phi);
  MatrixT<T> layer = X;
  for (std::size_t k = 0; k + 1 < W.size(); ++k)
    layer = ((layer * W[k]).rowwise() + b[k].transpose()).array().tanh().matrix().eval();
  Phi = (layer * W.back()).rowwise() + b.back().transpose();
}

template <class T>
void NetworkFeatures<T>::pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX,
                              Gradient& g) const {
  check_pull<T>("NetworkFeatures::pull", *this, X, Phi, dL_dPhi, dL_dX);
  std::vector<MatrixT<T>> layers{X};  // inputs of each layer
  for (std::size_t k = 0; k + 1 < W.size(); ++k)
    layers.push_back(((layers.back() * W[k]).rowwise() + b[k].transpose()).array().tanh().matrix());
  MatrixT<T> back = dL_dPhi;
  for (std::size_t k = W.size(); k-- > 0;) {
    g.dW[k] += (layers[k].transpose() * back).template cast<double>();
    g.db[k] += back.colwise().sum().transpose().template cast<double>();
    const MatrixT<T> below = back * W[k].transpose();
    back =
        k == 0 ? below : MatrixT<T>(below.array() * (1 - layers[k].array().square()));  // dtanh = 1 - tanh^2
  }
  dL_dX += back;
}

template struct NetworkFeatures<double>;
template struct NetworkFeatures<float>;

}  // namespace bochner
