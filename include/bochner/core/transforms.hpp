#pragma once

namespace bochner {

// Maps between an unconstrained real u, where optimisers walk, and a constrained parameter x. Each owns its chain
// rule: dL/du = dL/dx * derivative(u). `log_jacobian` = log |dx/du|, for samplers.

/// x = exp(u) > 0.
struct LogTransform {
  static double constrain(double u);
  static double unconstrain(double x);
  static double derivative(double u);
  static double log_jacobian(double u);
};

/// x = log(1 + exp(u)) > 0; grows linearly, so a large step does not explode.
struct SoftplusTransform {
  static double constrain(double u);
  static double unconstrain(double x);
  static double derivative(double u);
  static double log_jacobian(double u);
};

/// x = tanh(u) in (-1, 1): correlations.
struct TanhTransform {
  static double constrain(double u);
  static double unconstrain(double x);
  static double derivative(double u);
  static double log_jacobian(double u);
};

/// x = 1 / (1 + exp(-u)) in (0, 1).
struct LogisticTransform {
  static double constrain(double u);
  static double unconstrain(double x);
  static double derivative(double u);
  static double log_jacobian(double u);
};

}  // namespace bochner
