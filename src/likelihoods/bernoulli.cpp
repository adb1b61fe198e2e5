#include "bochner/likelihoods/bernoulli.hpp"

#include <algorithm>
#include <numbers>

#include "bochner/core/checks.hpp"
#include "entrywise.hpp"

namespace bochner {
namespace {

/// E[log Phi(f)], f ~ N(m, v), and its derivatives in m and v: E[F'] and E[F''] / 2, which need no division by sd(f).
LogPhi expected_log_phi(double m, double v) {
  const double sd = std::sqrt(v);
  // z = k step. The nearest zeros of Phi are 2.8 from the real line, so 0.55 in f leaves exp(-2 pi 2.8 / 0.55),
  // and 0.75 in z leaves exp(-2 pi^2 / 0.75^2). The number of nodes is bounded: beyond sd = 120 the bend of
  // log Phi at 0 is a kink among the nodes, which they see with a relative error of order (step / sd)^2.
  const double reach = 8.5, step = std::max(std::min(0.75, 0.55 / sd), reach / 2000);
  LogPhi sum = log_phi(m);
  double mass = 1;
  for (double k = 1; k * step <= reach; ++k) {
    const double z = k * step, w = std::exp(-0.5 * z * z);
    const LogPhi up = log_phi(m + sd * z), down = log_phi(m - sd * z);
    sum.value += w * (up.value + down.value);
    sum.first += w * (up.first + down.first);
    sum.second += w * (up.second + down.second);
    mass += 2 * w;
  }
  return {sum.value / mass, sum.first / mass, sum.second / mass};
}

}  // namespace

LogPhi log_phi(double x) {
  if (x > -6) {
    const double tail = 0.5 * std::erfc(std::abs(x) * (std::numbers::sqrt2 / 2));
    const double mills = std::exp(-0.5 * (x * x + log_2pi)) / (x > 0 ? 1 - tail : tail);  // phi(x) / Phi(x)
    return {x > 0 ? std::log1p(-tail) : std::log(tail), mills, -mills * (mills + x)};
  }
  // phi(x) / Phi(x) = t + rest, t = -x, with Laplace's continued fraction rest = 1 / (t + 2 / (t + 3 / (t + ..)))
  // [abramowitz1964, 26.2.14]: the sum mills + x is had without cancellation. Twenty terms are
  // exact to rounding from t = 6 on.
  const double t = -x;
  double rest = 0;
  for (int k = 20; k >= 1; --k) rest = k / (t + rest);
  const double mills = t + rest;
  return {-0.5 * (x * x + log_2pi) - std::log(mills), mills, -mills * rest};
}

Bernoulli Bernoulli::with_parameters(VectorIn theta) const {
  check_size("Bernoulli::with_parameters", "size of theta", theta.size(), "parameter_count()", 0);
  return *this;
}

void Bernoulli::check_outcomes(MatrixIn Y) const {
  check_entries(
      "Bernoulli", Y, outputs_, [](double y) { return y == 0 || y == 1; }, "0 or 1");
}

ExpectedLog Bernoulli::expected_log(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("Bernoulli::expected_log", latents(), mean, var);
  check_rows("Bernoulli::expected_log", Y, mean);
  check_outcomes(Y);
  return entrywise_expected_log(Y, mean, var, 0, [](Index, double y, double m, double v) -> ExpectedEntry {
    const double sign = y == 1 ? 1 : -1;  // 1 - Phi(f) = Phi(-f)
    const LogPhi e = expected_log_phi(sign * m, v);
    return {.value = e.value, .dmean = sign * e.first, .dvar = 0.5 * e.second};
  });
}

Matrix Bernoulli::log_predictive(MatrixIn Y, MatrixIn mean, MatrixIn var) const {
  check_marginals("Bernoulli::log_predictive", latents(), mean, var);
  check_rows("Bernoulli::log_predictive", Y, mean);
  check_outcomes(Y);
  return entrywise_log_predictive(Y, mean, var, [](Index, double y, double m, double v) {
    return log_phi((y == 1 ? m : -m) / std::sqrt(1 + v)).value;
  });
}

Outcome Bernoulli::outcome(MatrixIn mean, MatrixIn var) const {
  const Matrix p = probabilities(mean, var);
  return {.mean = p, .variance = p.array() * (1 - p.array())};
}

Matrix Bernoulli::probabilities(MatrixIn mean, MatrixIn var) const {
  check_marginals("Bernoulli::probabilities", latents(), mean, var);
  return (mean.array() / (1 + var.array()).sqrt()).unaryExpr([](double x) {
    return 0.5 * std::erfc(-x * (std::numbers::sqrt2 / 2));
  });
}

}  // namespace bochner
