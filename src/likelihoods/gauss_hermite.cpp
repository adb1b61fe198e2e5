#include "bochner/likelihoods/gauss_hermite.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

/// The rule of a weight symmetric about 0 with unit mass, whose orthonormal polynomials obey
/// x p_k = b_{k+1} p_{k+1} + b_k p_{k-1},  p_0 = 1; `b` holds b_1 .. b_n.
QuadratureRule gauss_rule(VectorIn b) {
  const Index n = b.size();
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> jacobi;
  jacobi.computeFromTridiagonal(Vector::Zero(n), b.head(n - 1), Eigen::EigenvaluesOnly);
  QuadratureRule rule{jacobi.eigenvalues(), Vector(n)};
  const auto evaluate = [&](double x, double& p, double& slope) {  // p_n(x), p_n'(x), sum_{k<n} p_k(x)^2
    double before = 0, slope_before = 0, squares = 0;
    p = 1, slope = 0;
    for (Index k = 0; k < n; ++k) {
      squares += p * p;
      const double down = k > 0 ? b(k - 1) : 0;
      const double next = (x * p - down * before) / b(k);
      const double slope_next = (p + x * slope - down * slope_before) / b(k);
      before = p, slope_before = slope, p = next, slope = slope_next;
    }
    return squares;
  };
  for (Index i = 0; i < (n + 1) / 2; ++i) {
    double p, slope, x = rule.nodes(n - 1 - i);
    if (2 * i + 1 == n) {
      x = 0;
    } else {
      for (int step = 0; step < 2; ++step) evaluate(x, p, slope), x -= p / slope;
    }
    const double weight = 1 / evaluate(x, p, slope);
    rule.nodes(n - 1 - i) = x, rule.nodes(i) = -x;
    rule.weights(n - 1 - i) = rule.weights(i) = weight;
  }
  return rule;
}

}  // namespace

QuadratureRule gauss_hermite(Index n) {
  check_at_least("gauss_hermite", "n", n, 1);
  check_at_least("gauss_hermite", "200 - n", 200 - n, 0);  // beyond, p_n overflows between its outer zeros
  return gauss_rule(Vector::LinSpaced(n, 1, static_cast<double>(n)).cwiseSqrt());
}

QuadratureRule gauss_legendre(Index n) {
  check_at_least("gauss_legendre", "n", n, 1);
  check_at_least("gauss_legendre", "200 - n", 200 - n, 0);
  const Vector k = Vector::LinSpaced(n, 1, static_cast<double>(n));
  QuadratureRule rule = gauss_rule(k.array() / (4 * k.array().square() - 1).sqrt());
  rule.weights *= 2;  // the mass of [-1, 1]
  return rule;
}

}  // namespace bochner
