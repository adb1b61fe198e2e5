#include "bochner/features/nystrom_features.hpp"

#include <utility>

#include "check_blocks.hpp"

namespace bochner {
namespace {

Matrix cross_gram(const AnyKernel& kernel, const Matrix& X, const Matrix& Z) {
  Matrix K(X.rows(), Z.rows());
  for_each_tile(Z.rows(), [&](Index col, Index width) {
    gram_block(kernel, X, Z.middleRows(col, width), K.middleCols(col, width));
  });
  return K;
}

}  // namespace

NystromGradient& NystromGradient::operator+=(const NystromGradient& other) {
  dtheta += other.dtheta;
  dZ += other.dZ;
  inner += other.inner;
  return *this;
}

template <class T>
NystromFeatures<T> NystromFeatures<T>::make(AnyKernel kernel, Matrix Z, const NystromOptions& options,
                                            const Compute& compute) {
  check_at_least("NystromFeatures::make", "rows of Z", Z.rows(), 1);
  check_non_negative("NystromFeatures::make", "jitter", options.jitter);
  NystromFeatures map{std::move(kernel), std::move(Z)};
  map.Kzz = gram(map.kernel, map.Z, compute);
  const double first = options.jitter * map.Kzz.diagonal().mean();
  Matrix A = map.Kzz;
  A.diagonal().array() += first;
  map.factor = cholesky(std::move(A), {.what = options.what}, compute);
  map.jitter = first + map.factor.jitter;
  return map;
}

template <class T>
NystromGradient NystromFeatures<T>::zero_gradient() const {
  return {Vector::Zero(parameter_count(kernel)), Matrix::Zero(Z.rows(), Z.cols()),
          Matrix::Zero(Z.rows(), Z.rows())};
}

template <class T>
void NystromFeatures<T>::fill(MatrixInT<T> X, MatrixOutT<T> Phi) const {
  check_fill<T>("NystromFeatures::fill", *this, X, Phi);
  Matrix K = cross_gram(kernel, X.template cast<double>(), Z);
  factor.L.transpose().template triangularView<Eigen::Upper>().template solveInPlace<Eigen::OnTheRight>(K);
  Phi = K.template cast<T>();
}

template <class T>
void NystromFeatures<T>::pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX,
                              Gradient& g) const {
  check_pull<T>("NystromFeatures::pull", *this, X, Phi, dL_dPhi, dL_dX);
  const Matrix x = X.template cast<double>();
  const Matrix K = cross_gram(kernel, x, Z);
  Matrix dK = dL_dPhi.template cast<double>();
  g.inner.noalias() += dK.transpose() * Phi.template cast<double>();
  factor.L.template triangularView<Eigen::Lower>().template solveInPlace<Eigen::OnTheRight>(
      dK);  // dL/dPhi L^-1
  Matrix dx = Matrix::Zero(x.rows(), x.cols());
  for_each_tile(Z.rows(), [&](Index col, Index width) {
    KernelAdjoint adjoint{g.dtheta, dx, g.dZ.middleRows(col, width)};
    pull_block(kernel, x, Z.middleRows(col, width), K.middleCols(col, width), dK.middleCols(col, width),
               adjoint);
  });
  dL_dX += dx.template cast<T>();
}

template <class T>
void NystromFeatures<T>::complete(Gradient& g, const Compute& compute) const {
  // Phi L' = K gives dL/dL = -tril(L^-T G), G = dL/dPhi' Phi, and the factorisation asks for the lower triangle of
  // L' dL/dL. That is -tril(G): row i of L' begins at column i, so rows above the diagonal never matter.
  Matrix dKzz = -0.5 * congruence_solve(factor, g.inner, compute);
  const double share = jitter / Kzz.diagonal().mean();
  dKzz.diagonal().array() += share * dKzz.diagonal().mean();  // jitter = share * mean diagonal
  const GramPullback back = gram_pullback(kernel, Z, Kzz, dKzz, compute);
  g.dtheta += back.dtheta;
  g.dZ += back.dX;
  g.inner.setZero();
}

template <class T>
Vector NystromFeatures<T>::residual(MatrixInT<T> X, MatrixInT<T> Phi) const {
  check_fill<T>("NystromFeatures::residual", *this, X, Phi);
  const Vector explained = Phi.template cast<double>().rowwise().squaredNorm();
  return (diagonal(kernel, X.template cast<double>()) - explained).cwiseMax(0);
}

template <class T>
void NystromFeatures<T>::pull_residual(MatrixInT<T> X, MatrixInT<T> Phi, VectorIn dL_dr,
                                       MatrixOutT<T> dL_dPhi, MatrixOutT<T> dL_dX, Gradient& g) const {
  check_pull<T>("NystromFeatures::pull_residual", *this, X, Phi, dL_dPhi, dL_dX);
  check_size("NystromFeatures::pull_residual", "size of dL_dr", dL_dr.size(), "rows of X", X.rows());
  const Vector dr = (residual(X, Phi).array() > 0).select(dL_dr, Vector::Zero(dL_dr.size()));
  const VectorT<T> twice = (2 * dr).template cast<T>();
  dL_dPhi -= twice.asDiagonal() * Phi;
  Matrix dx = Matrix::Zero(X.rows(), X.cols());
  pull_diagonal(kernel, X.template cast<double>(), dr, g.dtheta, dx);
  dL_dX += dx.template cast<T>();
}

template struct NystromFeatures<double>;
template struct NystromFeatures<float>;

}  // namespace bochner
