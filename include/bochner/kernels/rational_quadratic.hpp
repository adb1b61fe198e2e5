#pragma once
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// k(x, y) = sigma2 (1 + r2 / (2 alpha))^-alpha,  r2 = sum_d ((x_d - y_d) / ell_d)^2    [rasmussen2006, Eq. 4.19]
/// A gamma mixture of Rbf kernels, k = E[sigma2 exp(-tau r2 / 2)] with tau ~ Gamma(alpha, rate alpha), hence the
/// spectral measure: omega = sqrt(tau) diag(ell)^-1 e, e ~ N(0, I), one tau per row. tau is the quantile of a uniform
/// draw, so frequencies are smooth in alpha as well (gamma_quantile.hpp).
/// theta = (log ell_1 .. log ell_D, log alpha, log sigma2)
struct RationalQuadratic {
  Vector ell;           // D, length-scales > 0
  double alpha = 1.0;   // > 0; the Rbf kernel as alpha grows
  double sigma2 = 1.0;  // variance > 0

  Index input_dims() const { return ell.size(); }
  Index parameter_count() const { return ell.size() + 2; }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  RationalQuadratic with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;

  /// E1: the Gaussian rows; extra: one uniform draw per row.
  SpectralNoise draw_noise(Index L, Directions directions, Rng& rng) const;
  Frequencies frequencies(const SpectralNoise& noise) const;
  Vector frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const;
};

}  // namespace bochner
