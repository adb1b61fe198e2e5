#pragma once
#include "bochner/features/fourier_features.hpp"
#include "bochner/kernels/bivariate_sm.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

struct BivariateSmGradient {
  Frequencies waves;
  Matrix dDecay;  // R x D
  BivariateSmGradient& operator+=(const BivariateSmGradient& other);
  template <class F>
  void each_array(F&& f) {
    waves.each_array(f);
    f(Eigen::Map<Vector>(dDecay.data(), dDecay.size()));
  }
};

/// Random features of the bivariate spectral mixture kernel: waves in pairs under a Gaussian envelope,
///
///   phi_r(x) = sqrt(alpha_r / (4 L)) exp(-(1 - rho) |sd o x|^2 / 2) [cos (w + mu1)'x + cos (w + mu2)'x,
///                                                                    sin (w + mu1)'x + sin (w + mu2)'x]
///
/// with w ~ N(0, rho diag(sd)^2), L per component. For rho >= 0 the damping of the kernel is the product of the two
/// envelopes and of exp(-rho |sd o (x - y)|^2 / 2) = E cos w'(x - y), and E sin w'(x - y) = 0, hence
/// E[phi(x)'phi(y)] = k(x, y). (The paper that needs these features holds them hard to derive [yang2025, App. A.1].)
template <class T>
struct BivariateSmFeatures {
  using Scalar = T;
  using Gradient = BivariateSmGradient;

  FourierFeatures<T> waves;  // J = R L pairs, component after component
  MatrixT<T> Decay;          // R x D, sqrt(1 - rho_r) sd_r

  static SpectralNoise draw_noise(const BivariateSm& k, Index L, Directions directions, Rng& rng);
  static BivariateSmFeatures from(const BivariateSm& k, const SpectralNoise& noise);

  Index input_dims() const { return Decay.cols(); }
  Index count() const { return waves.count(); }

  Gradient zero_gradient() const;
  void fill(MatrixInT<T> X, MatrixOutT<T> Phi) const;
  void pull(MatrixInT<T> X, MatrixInT<T> Phi, MatrixInT<T> dL_dPhi, MatrixOutT<T> dL_dX, Gradient& g) const;
  void complete(Gradient&, const Compute&) const {}
};

/// dL/dtheta of the kernel from the gradient of BivariateSmFeatures::from(k, noise).
Vector bivariate_sm_pullback(const BivariateSm& k, const SpectralNoise& noise, const BivariateSmGradient& g);

extern template struct BivariateSmFeatures<double>;
extern template struct BivariateSmFeatures<float>;

}  // namespace bochner
