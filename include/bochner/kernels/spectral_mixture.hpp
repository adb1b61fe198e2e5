#pragma once
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// k(x, y) = sum_r alpha_r exp(-|sd_r o tau|^2 / 2) cos(mu_r'tau),  tau = x - y
///                                                                      [wilson2013, Eq. 12, corrected]
/// spectral measure: a mixture of N(mu_r, diag(sd_r)^2), weights alpha_r, and its mirror image
///
/// Frequencies are angular: mu and sd are 2 pi times those of [wilson2013]. Its Eq. 12 prints one cosine per
/// dimension, which for D > 1 is not the transform of its mixture; the cosine of mu_r'tau is.
///
/// Frequencies: L per component, omega = mu_r + sd_r o eps with amplitude sqrt(alpha_r / L), stacked over the
/// components. No component is drawn at random, so the features are smooth in alpha   [li2024, Prop. 4.2]
///
/// theta = (log alpha_r, mu_rd row by row, log sd_rd row by row)
struct SpectralMixture {
  Vector alpha;  // R, weights > 0; k(x, x) is their sum
  Matrix mu;     // R x D, mean angular frequencies, any sign
  Matrix sd;     // R x D, standard deviations of the angular frequencies > 0

  Index components() const { return alpha.size(); }
  Index input_dims() const { return mu.cols(); }
  Index parameter_count() const { return components() * (1 + 2 * input_dims()); }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  SpectralMixture with_parameters(VectorIn theta) const;

  double operator()(VectorIn x, VectorIn y) const;
  Vector gradient(VectorIn x, VectorIn y) const;
  Vector input_gradient(VectorIn x, VectorIn y) const;
  void gram_block(MatrixIn X, MatrixIn Z, MatrixOut K) const;
  void pull_block(MatrixIn X, MatrixIn Z, MatrixIn K, MatrixIn dL_dK, KernelAdjoint& adjoint) const;
  Vector diagonal(MatrixIn X) const;
  void pull_diagonal(MatrixIn X, VectorIn dL_dd, VectorOut dtheta, MatrixOut dX) const;

  SpectralNoise draw_noise(Index L, Directions directions,
                           Rng& rng) const;  // R L rows, component after component
  Frequencies frequencies(const SpectralNoise& noise) const;
  Vector frequencies_pullback(const SpectralNoise& noise, const Frequencies& dL) const;
};

}  // namespace bochner
