#pragma once
#include "bochner/kernels/kernel.hpp"

namespace bochner {

/// The next-gen spectral mixture kernel, non-stationary                    [yang2025, Eq. 39, corrected]
///
///   k(x, y) = 1/4 sum_r alpha_r [ t(x, y) + t(y, x) + t1(x - y) + t2(x - y) ]
///   t(x, y) = exp(-(|u1|^2 - 2 rho u1'v2 + |v2|^2) / 2) cos(mu1'x - mu2'y),   u1 = sd1 o x,  v2 = sd2 o y
///   t_i(tau) = exp(-|sd_i o tau|^2 / 2) cos(mu_i'tau)
///
/// The paper prints the cross term as -2 rho x'Sigma_c y with Sigma_c = rho diag(sd1 sd2), which counts rho
/// twice. The damping is the characteristic function of a Gaussian pair with correlation rho, so rho enters
/// once. k(0, 0) = sum alpha_r.
///
/// Frequencies come in pairs, L per component [yang2025, Thm. 2, Prop. 1]: omega1 = mu1 + sd1 o e1,
/// omega2 = mu2 + rho sd2 o e1 + sqrt(1 - rho^2) sd2 o e2, amplitude sqrt(alpha_r / (4 L)); k is the mean of
/// their features. (The paper counts features, two per pair: its L is twice ours.)
///
/// theta = (log alpha_r, mu1_rd, mu2_rd, log sd1_rd, log sd2_rd, atanh rho_r), matrices row by row
struct NgSm {
  Vector alpha;     // R, weights > 0
  Matrix mu1, mu2;  // R x D, mean angular frequencies, any sign
  Matrix sd1, sd2;  // R x D, standard deviations of the angular frequencies > 0
  Vector rho;       // R, correlation of the two frequencies of a pair, -1 < rho < 1

  Index components() const { return alpha.size(); }
  Index input_dims() const { return mu1.cols(); }
  Index parameter_count() const { return components() * (2 + 4 * input_dims()); }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  NgSm with_parameters(VectorIn theta) const;

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
