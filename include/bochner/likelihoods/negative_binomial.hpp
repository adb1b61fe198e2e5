#pragma once
#include "bochner/likelihoods/likelihood.hpp"

namespace bochner {

/// Counts y_p = 0, 1, 2, .. with mean mu = exp(log_rate_p + f_p) and variance mu + mu^2 / size_p: counts that scatter more
/// than Poisson's, which are the limit of a large size. In scipy nbinom(n = size, p = size / (size + mu)). Below m stands for
/// log_rate + mean, and x for m - log size with the variance v of f:
///   log p = log Gamma(y + size) - log Gamma(size) - log y! + y x - (y + size) softplus(x)
/// E[softplus] and its derivatives are trapezoid sums, right to 1e-10; E[y] and Var[y] follow from those of mu.
/// log_predictive: trapezoid sum about the mode of the log-concave integrand, absolute error below 1e-9.
/// theta = (log_rate_1 .. log_rate_P, log size_1 .. log size_P)
struct NegativeBinomial {
  Vector log_rate = Vector::Zero(1);  // P
  Vector size = Vector::Ones(1);      // P, > 0

  Index latents() const { return log_rate.size(); }
  Index outputs() const { return log_rate.size(); }
  Index parameter_count() const { return 2 * log_rate.size(); }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  NegativeBinomial with_parameters(VectorIn theta) const;

  void check_outcomes(MatrixIn Y) const;  // whole, >= 0
  ExpectedLog expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Matrix log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Outcome outcome(MatrixIn mean, MatrixIn var) const;
};

}  // namespace bochner
