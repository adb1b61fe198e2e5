#pragma once
#include "bochner/kernels/any_kernel_fwd.hpp"
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// k(x, y) = prod_i k_i(x, y)
///
/// frequencies: spectral densities convolve, omega = omega_1 + s_2 omega_2 + .. + s_F omega_F with independent fair
/// signs s_i = +-1. The signs matter: a factor may draw only one half of its symmetric density (a spectral mixture
/// does), and without them E cos((omega_1 + omega_2)'tau) = k_1 k_2 - E[sin omega_1'tau] E[sin omega_2'tau].
/// Rows of a factor need not be alike either (components, terms of a sum), so each row j of the product takes a
/// random row i_f(j) of every factor f but the largest. With J_f rows per factor and J = max J_f,
/// amplitude_j = prod_f amplitude_f(i_f(j)) sqrt(prod_f J_f / J).
/// One factor may come in pairs: the others shift both of its frequencies alike. The product of two paired ones
/// has four frequencies per feature, hence no spectrum here.
/// theta = those of the factors in order
struct Product {
  std::vector<AnyKernel> factors;

  Index input_dims() const;
  Index parameter_count() const;
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  Product with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;

  bool has_spectrum() const;         // every factor has, at most one of them paired
  bool has_paired_spectrum() const;  // one factor has
  /// extra: J x 2F, for every factor f the row it gives (column 2f) and its sign (column 2f + 1).
  SpectralNoise draw_noise(Index L, Directions directions, Rng& rng) const;
  Frequencies frequencies(const SpectralNoise& noise) const;
  Vector frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const;
};

}  // namespace bochner
