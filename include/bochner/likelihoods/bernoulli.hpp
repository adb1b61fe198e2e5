#pragma once
#include "bochner/likelihoods/likelihood.hpp"

namespace bochner {

/// y_p in {0, 1}, p(y = 1 | f) = Phi(f), the standard normal distribution function.
/// predictive: p(y = 1) = Phi(m / sqrt(1 + v))   [rasmussen2006, Sec. 3.9]
/// E[log Phi(+-f)] is a trapezoid sum over f, whose step resolves both q(f) and log Phi: absolute error of value and
/// derivatives below 1e-10 max(1, v) up to v = 1e4; beyond, a relative error below 1e-6 (1e-3 of the
/// derivative in v). No parameters.
struct Bernoulli {
  Index outputs_ = 1;  // P

  Index latents() const { return outputs_; }
  Index outputs() const { return outputs_; }
  Index parameter_count() const { return 0; }
  std::vector<std::string> parameter_names() const { return {}; }
  Vector parameters() const { return {}; }
  Bernoulli with_parameters(VectorIn theta) const;

  void check_outcomes(MatrixIn Y) const;  // 0 or 1
  ExpectedLog expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Matrix log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Outcome outcome(MatrixIn mean, MatrixIn var) const;
  Matrix probabilities(MatrixIn mean, MatrixIn var) const;  // B x P, p(y = 1)
};

/// log Phi(x) with its first two derivatives; no underflow and no cancellation for any finite x.
struct LogPhi {
  double value, first, second;
};
LogPhi log_phi(double x);

}  // namespace bochner
