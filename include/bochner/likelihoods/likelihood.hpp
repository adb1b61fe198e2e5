#pragma once
#include <concepts>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// E_q[log p(y | f)] under independent marginals f_p ~ N(mean_p, var_p), with its derivatives.
struct ExpectedLog {
  Vector rows;    // B, the sum over the measured entries of each row
  Matrix dmean;   // B x P, derivative of the sum of `rows`
  Matrix dvar;    // B x P
  Vector dtheta;  // unconstrained parameters of the likelihood
};

/// Mean and variance of y, f integrated out; B x outputs.
struct Outcome {
  Matrix mean, variance;
};

/// A likelihood is a value: parameters as plain members, one file, formulas on top. It ties the outcomes Y
/// (B x outputs) to latent functions whose marginals at the B rows are N(mean, var), independent
/// (B x latents; var >= 0, zero included).
/// NaN in Y is an entry that was not measured: it adds nothing and has zero derivatives. Rows do not see each
/// other, so blocks of rows may be given to different threads.
///
///   expected_log(Y, mean, var)    the data term of a variational bound, and its derivatives
///   log_predictive(Y, mean, var)  log of the integral of p(y | f) q(f) df, B x outputs; NaN where Y is NaN
///   check_outcomes(Y)             throws std::domain_error with row, column (from 1), value and rule
///
/// Where y is a number there is outcome(mean, var) -> Outcome; where y is a class or 0/1 there is
/// probabilities(mean, var): B x K, or B x P of p(y = 1). Every function calls check_outcomes on the Y it is given.
template <class L>
concept Likelihood = std::copyable<L> && requires(const L& l, const Vector& theta, const Matrix& A) {
  { l.latents() } -> std::same_as<Index>;  // P
  { l.outputs() } -> std::same_as<Index>;  // columns of Y
  { l.parameter_count() } -> std::same_as<Index>;
  { l.parameter_names() } -> std::same_as<std::vector<std::string>>;
  { l.parameters() } -> std::same_as<Vector>;  // unconstrained
  { l.with_parameters(theta) } -> std::same_as<L>;
  { l.check_outcomes(A) } -> std::same_as<void>;
  { l.expected_log(A, A, A) } -> std::same_as<ExpectedLog>;
  { l.log_predictive(A, A, A) } -> std::same_as<Matrix>;
};

/// A likelihood of numbers, whose mean and variance mean something.
template <class L>
concept NumberLikelihood = Likelihood<L> && requires(const L& l, const Matrix& A) {
  { l.outcome(A, A) } -> std::same_as<Outcome>;
};

/// A likelihood of classes, or of 0/1.
template <class L>
concept ClassLikelihood = Likelihood<L> && requires(const L& l, const Matrix& A) {
  { l.probabilities(A, A) } -> std::same_as<Matrix>;
};

}  // namespace bochner
