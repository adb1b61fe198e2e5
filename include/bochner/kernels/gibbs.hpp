#pragma once
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// Gibbs' non-stationary kernel with the isotropic length-scale ell(x) = exp(a + b |x|):
///
///   k(x, y) = sigma2 (2 ell(x) ell(y) / S)^(D/2) exp(-|x - y|^2 / S),  S = ell(x)^2 + ell(y)^2
///                                                           [gibbs1997, Eq. 3.94; rasmussen2006, Eq. 4.32]
///
/// a = 0, b = -1/2 are those of [yang2025, App. C.1.1]. That paper prints the power 1/2, right for D = 1 only:
/// the factor is a product over the D dimensions, and with the power 1/2 the Gram matrix of points in the plane
/// has negative eigenvalues (tests/kernels/special_cases_test.cpp).
/// The length of x has a kink at the origin; its gradient there is taken as 0, so that a latent that starts at
/// exactly 0 moves by the smooth part of the kernel alone.
/// theta = (a, b, log sigma2)
struct Gibbs {
  double a = 0.0;       // log length-scale at the origin
  double b = -0.5;      // its slope in |x|, any sign
  double sigma2 = 1.0;  // variance > 0

  Index input_dims() const { return 0; }
  Index parameter_count() const { return 3; }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  Gibbs with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;
};

}  // namespace bochner
