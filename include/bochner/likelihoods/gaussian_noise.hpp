#pragma once
#include "bochner/likelihoods/likelihood.hpp"

namespace bochner {

/// y_p = f_p + noise, noise ~ N(0, variance_p), one variance per output.
/// E[log p] = -1/2 [log(2 pi variance) + ((y - m)^2 + v) / variance]
/// predictive: N(m, v + variance);  theta = (log variance_1 .. log variance_P)
struct GaussianNoise {
  Vector variance;  // P, > 0

  Index latents() const { return variance.size(); }
  Index outputs() const { return variance.size(); }
  Index parameter_count() const { return variance.size(); }
  std::vector<std::string> parameter_names() const;
  Vector parameters() const;
  GaussianNoise with_parameters(VectorIn theta) const;

  void check_outcomes(MatrixIn Y) const;  // finite
  ExpectedLog expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Matrix log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Outcome outcome(MatrixIn mean, MatrixIn var) const;
};

}  // namespace bochner
