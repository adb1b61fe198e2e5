#pragma once
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// The bivariate spectral mixture kernel, non-stationary                [remes2017; yang2025, Eq. 18-20]
///
///   k(x, y) = sum_r alpha_r / 4 exp(-(|u|^2 - 2 rho u'v + |v|^2) / 2) Psi_r(x)'Psi_r(y)
///   Psi_r(x) = [cos mu1'x + cos mu2'x, sin mu1'x + sin mu2'x],   u = sd_r o x,  v = sd_r o y
///
/// The average over eight Gaussians of Eq. 19 transforms to Psi'Psi / 4, the 1/4 that Eq. 20 drops: here
/// k(0, 0) = sum alpha_r. (Eq. 19 also prints standard deviations where its covariance has variances.)
///
/// Positive semidefinite needs equal sd on both sides and 0 <= rho < 1: the damping is
/// exp(-(1 - rho) |u|^2 / 2) exp(-(1 - rho) |v|^2 / 2) exp(-rho |u - v|^2 / 2), and for rho < 0 its last
/// factor grows. There are no frequencies of a density here, but there are random features with an envelope:
/// features/bivariate_sm_features.hpp.
///
/// theta = (log alpha_r, mu1_rd, mu2_rd, log sd_rd, logit rho_r), matrices row by row. rho = 0 exactly is a
/// valid kernel but sits at minus infinity in theta, where the gradient is zero.
struct BivariateSm {
  Vector alpha;     // R, weights > 0
  Matrix mu1, mu2;  // R x D, mean angular frequencies, any sign
  Matrix sd;        // R x D, standard deviations of the angular frequencies > 0
  Vector rho;       // R, 0 <= rho < 1

  Index components() const { return alpha.size(); }
  Index input_dims() const { return mu1.cols(); }
  Index parameter_count() const { return components() * (2 + 3 * input_dims()); }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  BivariateSm with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;
};

}  // namespace bochner
