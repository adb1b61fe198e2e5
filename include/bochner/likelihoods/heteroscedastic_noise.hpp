#pragma once
#include "bochner/likelihoods/likelihood.hpp"

namespace bochner {

/// y_p = f_p + noise whose variance depends on the inputs through a second latent function g_p:
///
///   noise ~ N(0, variance_p exp(amplitude_p g_p)),   latents f_1 .. f_P, g_1 .. g_P   [lazaro2011]
///
/// An amplitude of 0 is GaussianNoise. Closed form, as in the chained GPs of [saul2016]:
///   E[log p] = -1/2 [log(2 pi variance) + a m_g + S E],   S = ((y - m_f)^2 + v_f) / variance,
///   E = exp(-a m_g + a^2 v_g / 2).
/// It is concave in (m_f, m_g, v_f, v_g) apart from each other, so that natural gradients stay positive definite.
/// predictive: a normal whose log noise variance is normal, a trapezoid sum over that: absolute error of the log density
/// below 1e-10.
/// theta = (log variance_1 .. log variance_P, log amplitude_1 .. log amplitude_P)
struct HeteroscedasticNoise {
  Vector variance;   // P, > 0: where g is 0
  Vector amplitude;  // P, > 0

  Index latents() const { return 2 * variance.size(); }
  Index outputs() const { return variance.size(); }
  Index parameter_count() const { return 2 * variance.size(); }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  HeteroscedasticNoise with_parameters(VectorIn theta) const;

  void check_outcomes(MatrixIn Y) const;  // finite
  ExpectedLog expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Matrix log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Outcome outcome(MatrixIn mean, MatrixIn var) const;
};

/// log of the integral over u of N(r; 0, v + exp(u)) N(u; m, s^2) du.
double log_scale_mixture(double r, double v, double m, double s);

}  // namespace bochner
