#include "bochner/random/polya_gamma_density.hpp"

#include <cmath>
#include <cstddef>

#include "bochner/core/types.hpp"

namespace bochner::detail {
namespace {

template <bool with_slope>
PgFactor sum_series(double b, double x) {
  double ratio = std::exp(-2 * (1 + b) / x);  // of exp(-2 n (n + b) / x) to its predecessor
  const double decay = std::exp(-4 / x);
  double coefficient = 1, exponential = 1, sign = -1;
  PgFactor s{.value = 1, .slope = 0};
  for (double n = 1;; ++n, sign = -sign) {
    coefficient *= (n - 1 + b) / n;
    exponential *= ratio;
    ratio *= decay;
    const double term = coefficient * (1 + 2 * n / b) * exponential;
    s.value += sign * term;
    if constexpr (with_slope) s.slope += sign * term * 2 * n * (n + b);
    if (term < 1e-18) break;  // the ratio of terms falls with n: small terms stay small
  }
  s.slope /= x * x;
  return s;
}

/// Lowest coefficient first.
template <std::size_t n>
double polynomial(const double (&c)[n], double v) {
  double sum = c[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) sum = sum * v + c[i];
  return sum;
}

constexpr double near_zero =
    0.02;  // below this |v| the closed forms cancel; Taylor polynomials in v are exact enough

}  // namespace

double pg_factor(double b, double x) { return sum_series<false>(b, x).value; }
PgFactor pg_factor_and_slope(double b, double x) { return sum_series<true>(b, x); }

PgSaddle::PgSaddle(double at) : v(at) {
  const double s = std::sqrt(std::abs(v)), t = v > 0 ? std::tan(s) : std::tanh(s);
  y = s > 0 ? t / s : 1;
  if (std::abs(v) < near_zero)
    V = polynomial({2.0 / 3, 8.0 / 15, 34.0 / 105, 496.0 / 2835, 2764.0 / 31185, 87376.0 / 2027025}, v);
  else if (v > 0)
    V = y * y + (1 - y) / v;
  else  // the same, without the cancellation that y = 1 / s brings
    V = y * y * y - (1 - y) * (1 - t) * (1 + t) / (s * s);
}

PgSaddle PgSaddle::with_mean(double y) {
  // Newton on 1 / y above one and on 1 / y^2 below: both are nearly linear in v.
  const double p = 1 / y;
  PgSaddle at(p < 1 ? pi * pi / 4 - 2 * p - 0.4674 * p * p : (1 - p) * (p + 2));
  for (int i = 0; i < 50; ++i) {
    const double y2 = at.y * at.y;
    const double step = p < 1 ? (1 / at.y - p) * 2 * y2 / at.V : (1 / y2 - p * p) * y2 * at.y / at.V;
    at = PgSaddle(at.v + step);
    if (std::abs(step) < 1e-6 * (1 + std::abs(at.v))) break;  // quadratic: the next step would be near 1e-12
  }
  return at;
}

double PgSaddle::variance_slope() const {
  if (std::abs(v) < near_zero)
    return polynomial({8.0 / 5, 116.0 / 175, 2104.0 / 7875, 327428.0 / 3031875, 8620424.0 / 197071875}, v);
  return 2 * y - 1 / v - 2 * (1 - y) / (v * v * V);
}

double PgSaddle::correction() const {
  // kappa_4 / (8 kappa_2^2) - 5 kappa_3^2 / (24 kappa_2^3) with kappa_2 = V, kappa_3 = V V', kappa_4 = V (V V')'
  if (std::abs(v) < near_zero)
    return polynomial({-1.0 / 14, -4.0 / 525, 298.0 / 606375, 2084.0 / 10749375, 3842.0 / 165540375}, v);
  const double V1 = variance_slope();
  const double V2 = 2 + 4 / (v * v * V) + 2 * (1 - y) / (v * v * V * V) * (4 / v + V1);
  return V2 / 8 - V1 * V1 / (12 * V);
}

double PgSaddle::log_factor(double b) const {
  // b times K(t) - t y with the kernel's -1 / (2 y) + log 2 taken out; then sqrt(y^3 / V) from the two normalisers.
  const double s = std::sqrt(std::abs(v));
  double exponent = 0.5 - std::log(2.0);
  if (v > 0) exponent = s / std::tan(2 * s) - std::log(2 * std::cos(s));
  if (v < 0) exponent = 2 * s / std::expm1(4 * s) - std::log1p(std::exp(-2 * s));
  return b * exponent + 0.5 * std::log(y * y * y / V);
}

double PgSaddle::log_factor_slope(double b) const {
  const double s = std::sqrt(std::abs(v));
  const double ratio = s == 0 ? 1 : s / (v > 0 ? std::sin(s) : std::sinh(s));
  return -0.5 * b * ratio * ratio + 1.5 / y - 0.5 * variance_slope() / V;
}

}  // namespace bochner::detail
