#pragma once
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// k(x, y) = sigma2 exp(-r2 / 2),  r2 = sum_d ((x_d - y_d) / ell_d)^2   [rasmussen2006, Eq. 5.1]
/// spectral measure: omega ~ N(0, diag(ell)^-2)                         [rahimi2007, Fig. 1]
/// theta = (log ell_1 .. log ell_D, log sigma2)
struct Rbf {
  Vector ell;           // D, length-scales > 0
  double sigma2 = 1.0;  // variance > 0

  Index input_dims() const { return ell.size(); }
  Index parameter_count() const { return ell.size() + 1; }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  Rbf with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;

  SpectralNoise draw_noise(Index L, Directions directions, Rng& rng) const;
  Frequencies frequencies(const SpectralNoise& noise) const;
  Vector frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const;
};

}  // namespace bochner
