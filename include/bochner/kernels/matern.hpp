#pragma once
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// The smoothness nu of a Matern kernel, as 2 nu: samples are differentiable ceil(nu) - 1 times.
enum class Smoothness : int { half = 1, three_halves = 3, five_halves = 5 };

/// k(x, y) = sigma2 exp(-s)                       nu = 1/2     [rasmussen2006, Eq. 4.17 and 4.18]
///           sigma2 (1 + s) exp(-s)               nu = 3/2
///           sigma2 (1 + s + s^2 / 3) exp(-s)     nu = 5/2
/// with s^2 = 2 nu sum_d ((x_d - y_d) / ell_d)^2
/// spectral measure: omega = diag(ell)^-1 e sqrt(2 nu / c), e ~ N(0, I), c ~ chi^2(2 nu)   [rasmussen2006, Eq. 4.15]
/// Trap: one c per ROW of frequencies, a multivariate t; one per entry is a different kernel as soon as D > 1.
/// At x = y the kernel with nu = 1/2 has a cusp; its gradient there is taken as 0, the mean of the two sides.
/// theta = (log ell_1 .. log ell_D, log sigma2); nu is not learned
struct Matern {
  Vector ell;           // D, length-scales > 0
  double sigma2 = 1.0;  // variance > 0
  Smoothness smoothness = Smoothness::three_halves;

  double nu() const { return 0.5 * static_cast<int>(smoothness); }

  Index input_dims() const { return ell.size(); }
  Index parameter_count() const { return ell.size() + 1; }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  Matern with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;

  /// E1: the Gaussian rows; extra: one chi-squared draw per row.
  SpectralNoise draw_noise(Index L, Directions directions, Rng& rng) const;
  Frequencies frequencies(const SpectralNoise& noise) const;
  Vector frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const;
};

}  // namespace bochner
