#pragma once
#include "bochner/likelihoods/likelihood.hpp"

namespace bochner {

/// One column of class numbers y in 0 .. K-1, one latent per class; labels are the largest latent, up to errors:
/// p(y | f) = 1 - epsilon if y = argmax f, else epsilon / (K - 1)   [hernandez2011]
/// With P_y = P(argmax f = y) = int N(f; m_y, v_y) prod_{c != y} Phi((f - m_c) / sqrt(v_c)) df,
///   E[log p] = P_y log(1 - epsilon) + (1 - P_y) log(epsilon / (K - 1)),
///   predictive p(y) = P_y (1 - epsilon) + (1 - P_y) epsilon / (K - 1).
/// The integral runs over panels no wider than the narrowest factor that still changes there, each with Gauss's rule:
/// fixed nodes about m_y would miss steps of classes far more certain than y. Absolute error of P_y below 1e-10.
/// Standard deviations below 1e-4 of the largest of their row count as that: an error of 1e-8, which keeps v = 0
/// smooth. Where all v of a row are 0, P_y is 0 or 1 (ties share) and its derivatives vanish.
struct RobustMax {
  Index classes = 2;      // K >= 2
  double epsilon = 1e-3;  // in (0, 1), fixed

  Index latents() const { return classes; }
  Index outputs() const { return 1; }
  Index parameter_count() const { return 0; }
  std::vector<std::string> parameter_names() const { return {}; }
  Vector parameters() const { return {}; }
  RobustMax with_parameters(VectorIn theta) const;

  void check_outcomes(MatrixIn Y) const;  // whole, 0 .. K-1
  ExpectedLog expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Matrix log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Matrix probabilities(MatrixIn mean, MatrixIn var) const;  // B x K
};

}  // namespace bochner
