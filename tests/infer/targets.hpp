#pragma once
#include <Eigen/Dense>
#include <cmath>

#include "bochner/infer/objective.hpp"
#include "bochner/infer/stiefel.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::testing {

/// sum_i 100 (x_{i+1} - x_i^2)^2 + (1 - x_i)^2: least at (1, ..., 1), value 0.
inline double rosenbrock(const Vector& x, Vector& grad) {
  grad.setZero();
  double value = 0;
  for (Index i = 0; i + 1 < x.size(); ++i) {
    const double a = x(i + 1) - x(i) * x(i), b = 1 - x(i);
    value += 100 * a * a + b * b;
    grad(i) += -400 * a * x(i) - 2 * b;
    grad(i + 1) += 200 * a;
  }
  return value;
}

/// 1/2 (x - optimum)' A (x - optimum) + 3 with eigenvalues of A from 1 to `condition`, in a random basis.
struct Quadratic {
  Matrix A;
  Vector optimum;

  static Quadratic random(Index n, double condition, std::uint64_t seed) {
    Rng rng(seed);
    const Matrix Q = random_orthonormal(n, n, rng);
    Vector values(n);
    for (Index i = 0; i < n; ++i) values(i) = std::pow(condition, double(i) / double(n - 1));
    return {Q * values.asDiagonal() * Q.transpose(), rng.normal(n)};
  }

  double operator()(const Vector& x, Vector& grad) const {
    grad = A * (x - optimum);
    return 0.5 * (x - optimum).dot(grad) + 3;
  }
};

}  // namespace bochner::testing
