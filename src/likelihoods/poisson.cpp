#include "bochner/likelihoods/poisson.hpp"

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>

#include "bochner/core/checks.hpp"
#include "entrywise.hpp"

namespace bochner {
namespace {

double log_factorial(double y) { return boost::math::lgamma(y + 1); }

/// The mode of l(d) = y d - exp(m + d) - d^2 / (2 v), d = f - m. Its slope falls and is concave, so Newton's steps from
/// a point right of the mode never cross it.
double mode(double y, double m, double v) {
  // At the mode exp(f) = y + (m - f) / v: either f >= m and exp(f) <= y, or f < m; and where f >= 0 the right
  // side is at most y + max(m, 0) / v.
  const double above = y > 0 ? std::max(0.0, std::log(y) - m) : 0;
  double d = std::min(above, std::max(0.0, std::log(y + std::max(m, 0.0) / v)) - m);
  for (int i = 0; i < 200; ++i) {
    const double rate = std::exp(m + d), curvature = rate + 1 / v;
    const double step = (y - rate - d / v) / curvature;
    d += step;
    if (std::abs(step) * std::sqrt(curvature) <= 1e-6)
      break;  // of the width: the sum need not start at the top
  }
  return d;
}

/// log of the integral of Poisson(y; exp(f)) N(f; m, v) df. Distances from m, as v may be below the rounding of m.
double log_mixture(double y, double m, double v) {
  if (v == 0) return y * m - std::exp(m) - log_factorial(y);
  const auto log_integrand = [&](double d) { return y * d - std::exp(m + d) - d * d / (2 * v); };
  const double top = mode(y, m, v), peak = log_integrand(top), sd = std::sqrt(v);
  // A trapezoid sum resolves the width at the mode and the cut-off exp(-exp(f)), whose transform falls like
  // exp(-pi w / 2): an error of exp(-pi^2 / step).
  const double step = std::min(0.5 / std::sqrt(1 / v + std::exp(m + top)), std::max(0.35, sd / 1000));
  double sum = 1;
  for (const double side : {-1.0, 1.0})
    for (double k = 1;; ++k) {
      const double below = log_integrand(top + side * k * step) - peak;
      if (!(below > -40)) break;
      sum += std::exp(below);
    }
  return y * m + peak + std::log(sum * step / sd) - 0.5 * log_2pi - log_factorial(y);
}

}  // namespace

std::vector<std::string> Poisson::parameter_names() const { return output_names("log rate", outputs()); }

Poisson Poisson::with_parameters(VectorIn theta) const {
  check_size("Poisson::with_parameters", "size of theta", theta.size(), "parameter_count()",
             parameter_count());
  return {.log_rate = theta};
}

void Poisson::check_outcomes(MatrixIn Y) const {
  check_entries(
      "Poisson", Y, outputs(), [](double y) { return y >= 0 && y == std::floor(y) && std::isfinite(y); },
      "a count: whole and not negative");
}

ExpectedLog Poisson::expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("Poisson::expected_log", latents(), mean, var);
  check_rows("Poisson::expected_log", Y, mean);
  check_outcomes(Y);
  return entrywise_expected_log(Y, mean, var, parameter_count(),
                                [&](Index p, double y, double f, double v) -> ExpectedEntry {
                                  const double m = log_rate(p) + f, rate = std::exp(m + v / 2);
                                  return {.value = y * m - rate - log_factorial(y),
                                          .dmean = y - rate,
                                          .dvar = -rate / 2,
                                          .dtheta = y - rate};
                                });
}

Matrix Poisson::log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("Poisson::log_predictive", latents(), mean, var);
  check_rows("Poisson::log_predictive", Y, mean);
  check_outcomes(Y);
  return entrywise_log_predictive(Y, mean, var, [&](Index p, double y, double f, double v) {
    return log_mixture(y, log_rate(p) + f, v);
  });
}

Outcome Poisson::outcome(MatrixIn mean, MatrixIn var) const {
  check_marginals("Poisson::outcome", latents(), mean, var);
  const Matrix rate = ((mean + 0.5 * var).rowwise() + log_rate.transpose()).array().exp();
  const Matrix spread = var.unaryExpr([](double v) { return std::expm1(v); });
  return {.mean = rate, .variance = rate.array() + rate.array().square() * spread.array()};
}

}  // namespace bochner
