#pragma once
#include "bochner/likelihoods/likelihood.hpp"

namespace bochner {

/// One column of class numbers y in 0 .. K-1, one latent per class: p(y | f) = exp(f_y) / sum_c exp(f_c).
///
/// No sampling: with independent standard Gumbel variables G_c, max_c (f_c + G_c) is distributed as
/// logsumexp(f) + G and its argmax as softmax(f) [yellott1977], so that with g_c(u) = E exp(-exp(f_c - u))
///   E[logsumexp(f)] = a + int (exp(-exp(a - u)) - prod_c g_c(u)) du          for any a,
///   E[softmax_c(f)] = int g_c'(u) prod_{c' != c} g_c'(u) du,
/// K + 1 integrals in one dimension instead of one in K. They are trapezoid sums, which converge exponentially here
/// [trefethen2014].
/// Absolute error of value, probabilities and derivatives below 1e-9 for v <= 1.6e5. Where the widest sd of a row is t
/// times 400, t > 1, the row is that of softmax(f / t), t logsumexp(f / t): an error of order t^2 / sd, 1e-5 sd.
/// log_predictive is the logarithm of the probability, or its lower bound expected_log where that is larger
/// (probabilities so small that they drown in the rounding of the sum).
struct Softmax {
  Index classes = 2;  // K >= 2

  Index latents() const { return classes; }
  Index outputs() const { return 1; }
  Index parameter_count() const { return 0; }
  std::vector<std::string> parameter_names() const { return {}; }
  Vector parameters() const { return {}; }
  Softmax with_parameters(VectorIn theta) const;

  void check_outcomes(MatrixIn Y) const;  // whole, 0 .. K-1
  ExpectedLog expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Matrix log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const;
  Matrix probabilities(MatrixIn mean, MatrixIn var) const;  // B x K
};

}  // namespace bochner
