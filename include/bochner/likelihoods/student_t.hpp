#pragma once
#include "bochner/likelihoods/likelihood.hpp"

namespace bochner {

/// p(y | f) = Gamma((nu+1)/2) / (Gamma(nu/2) sqrt(nu pi) sigma) (1 + (y - f)^2 / (nu sigma^2))^(-(nu+1)/2)
/// with sigma = scale_p per output, nu = degrees fixed; theta = (log scale_1 .. log scale_P).
///
/// Both integrals over f are turned into integrals whose integrand has one width, whatever sd(f) / scale is; nodes laid
/// around q(f) would miss the peak at y once sd(f) is many scales. With a = nu sigma^2, r = y - f ~ N(mu, v),
///   log(1 + r^2/a) = int (1 - e^(-s r^2/a)) e^-s ds/s,   E[e^(-t r^2)] = (1 + 2tv)^(-1/2) e^(-t mu^2 / (1 + 2tv)),
/// and for the predictive the t is a mixture of normals, N(y | f, sigma^2 / lambda) with lambda ~ Gamma(nu/2, nu/2).
/// Trapezoid sums in log s and log lambda then converge exponentially: absolute error of expected_log and of its
/// derivatives times their own scale below 1e-10, of log_predictive below 1e-10, for any v >= 0.
struct StudentT {
  Vector scale;        // P, > 0
  double degrees = 4;  // > 0; y has a variance above 2 and a mean above 1 only

  Index latents() const { return scale.size(); }
  Index outputs() const { return scale.size(); }
  Index parameter_count() const { return scale.size(); }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  StudentT with_parameters(VectorIn theta) const;

  void check_outcomes(MatrixIn Y) const;  // finite
  ExpectedLog expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Matrix log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Outcome outcome(MatrixIn mean,
                  MatrixIn var) const;  // variance infinite for degrees <= 2, mean NaN for <= 1
};

}  // namespace bochner
