#pragma once
#include <string>

#include "bochner/compute/cholesky.hpp"
#include "bochner/features/feature_map.hpp"
#include "bochner/kernels/any_kernel.hpp"

namespace bochner {

struct NystromOptions {
  double jitter =
      1e-10;  // always added to the diagonal of K(Z, Z), times its mean; more when that does not suffice
  std::string what = "the Gram matrix of the inducing points";  // for the error when nothing suffices
};

struct NystromGradient {
  Vector dtheta;  // unconstrained parameters of the kernel
  Matrix dZ;      // F x D
  Matrix inner;   // F x F, sum over rows of dL/dphi phi': becomes dtheta and dZ in complete(), then is zero
  NystromGradient& operator+=(const NystromGradient& other);
};

/// Features from F inducing points Z [williams2001]: Phi = K(X, Z) L^-T with K(Z, Z) + jitter I = L L', so that
/// Phi Phi' = K(X, Z) K(Z, Z)^-1 K(Z, X). Any kernel will do; with Z = X the Gram matrix itself comes out.
/// What the features miss, k(x, x) - |phi(x)|^2 >= 0, is the trace correction of the sparse evidence [titsias2009].
///
/// The kernel and the triangular solves run in double whatever T is: L is too ill-conditioned for float. A gradient
/// holds an F x F matrix, so does every lane of a stream.
template <class T>
struct NystromFeatures {
  using Scalar = T;
  using Gradient = NystromGradient;

  AnyKernel kernel;
  Matrix Z;               // F x D
  Matrix Kzz;             // F x F, without jitter
  CholeskyFactor factor;  // of Kzz + jitter I
  double jitter = 0;      // all that was added

  static NystromFeatures make(AnyKernel kernel, Matrix Z, const NystromOptions& options,
                              const Compute& compute);
  Index input_dims() const { return Z.cols(); }
  Index count() const { return Z.rows(); }

  Gradient zero_gradient() const;
  void fill(MatrixInT<T> X, MatrixOutT<T> Phi) const;
  void pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX, Gradient& g) const;

  /// Pulls g.inner, a sum over all rows, through the Cholesky factor and K(Z, Z). The jitter is a fixed share of the
  /// mean diagonal, and is differentiated as such.
  void complete(Gradient& g, const Compute& compute) const;

  /// k(x_i, x_i) - |phi_i|^2, and 0 where rounding makes it negative.
  Vector residual(MatrixInT<T> X, MatrixInT<T> Phi) const;

  /// Adds the adjoints of residual: to dL_dPhi (pull that afterwards), dL_dX and g. Clamped entries have none.
  void pull_residual(MatrixInT<T> X, MatrixInT<T> Phi, VectorIn dL_dr, MatrixOutT<T> dL_dPhi,
                     MatrixOutT<T> dL_dX, Gradient& g) const;
};

extern template struct NystromFeatures<double>;
extern template struct NystromFeatures<float>;

}  // namespace bochner
