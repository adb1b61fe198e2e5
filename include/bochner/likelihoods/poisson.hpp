#pragma once
#include "bochner/likelihoods/likelihood.hpp"

namespace bochner {

/// Counts y_p = 0, 1, 2, .. with rate exp(log_rate_p + f_p), the intercept written apart so that f may be small. Below m
/// stands for log_rate + mean.
/// E[log p] = y m - exp(m + v/2) - log y!
/// E[y] = r = exp(m + v/2),  Var[y] = r + r^2 (exp(v) - 1)
/// log_predictive: trapezoid sum in log space about the mode of the log-concave integrand, relative error of the
/// probability below 1e-9 for v <= 1e4.
/// theta = log_rate
struct Poisson {
  Vector log_rate = Vector::Zero(1);  // P

  Index latents() const { return log_rate.size(); }
  Index outputs() const { return log_rate.size(); }
  Index parameter_count() const { return log_rate.size(); }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const { return log_rate; }
  Poisson with_parameters(VectorIn theta) const;

  void check_outcomes(MatrixIn Y) const;  // whole, >= 0
  ExpectedLog expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Matrix log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Outcome outcome(MatrixIn mean, MatrixIn var) const;
};

}  // namespace bochner
