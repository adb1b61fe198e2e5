#include "bochner/core/polya_gamma.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"

// PG(b, z) = X / 4 where X has cumulant function -b log cos(sqrt(2 t)), tilted by exp(-sigma^2 X / 2), sigma
// = |z| / 2. The untilted density [biane2001; windle2014] is an inverse-Gaussian kernel times a
// function of one variable,
//
//     f(x) = 2^b b (2 pi x^3)^(-1/2) exp(-b^2 / (2 x)) S(x),
//     S(x) = sum_n (-1)^n Gamma(n + b) / (Gamma(b) n!) (1 + 2 n / b) exp(-2 n (n + b) / x).
//
// log S is concave, from S(0) = 1 down to the slope -pi^2 / 8, so it lies below its tangent at any point m:
// S(x) <= S(m) exp(-rate (x - m)). Tilt and tangent only change the exponential factor of the kernel, hence
// the draw: x inverse Gaussian with kernel x^(-3/2) exp(-b^2 / (2 x) - (sigma^2 / 2 + rate) x), accepted with
// probability S(x) exp(rate (x - m)) / S(m). With m the mean of X at least sqrt(2/3) = 0.816 of the draws are
// accepted whatever b and z: 0.816 at z = 0 and b large, 1 for b -> 0 and for |z| large.

namespace bochner {
namespace {

/// Above this shape the alternating series loses its digits to cancellation, below it the saddle point is too
/// coarse.
constexpr double largest_series_shape = 30;

// ---- S by its series
// -----------------------------------------------------------------------------------------------

struct Series {
  double value = 1;  // S(x)
  double slope = 0;  // S'(x) <= 0
};

Series sum_series(double b, double x) {
  double power = std::exp(-2 * (1 + b) / x);  // exp(-2 n (n + b) / x) over its predecessor
  const double decay = std::exp(-4 / x);
  double coefficient = 1, exponential = 1, sign = -1;
  Series s;
  for (double n = 1;; ++n, sign = -sign) {
    coefficient *= (n - 1 + b) / n;
    exponential *= power;
    power *= decay;
    const double term = coefficient * (1 + 2 * n / b) * exponential;
    s.value += sign * term;
    s.slope += sign * term * 2 * n * (n + b);
    if (term < 1e-18) break;  // the ratio of terms falls with n: small terms stay small
  }
  s.slope /= x * x;
  return s;
}

// ---- S by the saddle point
// -----------------------------------------------------------------------------------------

/// tanh(sigma) / sigma, the mean of X / b under the tilt sigma.
double tilted_mean(double sigma) { return sigma == 0 ? 1 : std::tanh(sigma) / sigma; }

/// Taylor polynomial in v, lowest coefficient first.
template <std::size_t n>
double polynomial(const double (&c)[n], double v) {
  double sum = c[n - 1];
  for (std::size_t i = n - 1; i-- > 0;) sum = sum * v + c[i];
  return sum;
}

/// The unit law b = 1 at the saddle point t = v / 2: the mean y and the variance V as a function of the mean.
/// v = s^2 > 0: y = tan(s) / s > 1;  v = -sigma^2 < 0: y = tanh(sigma) / sigma < 1.
struct Saddle {
  double v, y, V;

  explicit Saddle(double at) : v(at) {
    const double s = std::sqrt(std::abs(v)), t = v > 0 ? std::tan(s) : std::tanh(s);
    y = s > 0 ? t / s : 1;
    if (std::abs(v) < 0.02)  // (1 - y) / v cancels
      V = polynomial({2.0 / 3, 8.0 / 15, 34.0 / 105, 496.0 / 2835, 2764.0 / 31185, 87376.0 / 2027025}, v);
    else if (v > 0)
      V = y * y + (1 - y) / v;
    else  // the same, without cancellation where y = 1 / s
      V = y * y * y - (1 - y) * (1 - t) * (1 + t) / (s * s);
  }

  double dV() const {  // dV / dy
    if (std::abs(v) < 0.02)
      return polynomial({8.0 / 5, 116.0 / 175, 2104.0 / 7875, 327428.0 / 3031875, 8620424.0 / 197071875}, v);
    return 2 * y - 1 / v - 2 * (1 - y) / (v * v * V);
  }

  /// log of the true density over its saddle-point approximation, times b, to order 1 / b [daniels1954,
  /// Eq. 2.6]: kappa_4 / (8 kappa_2^2) - 5 kappa_3^2 / (24 kappa_2^3) = V'' / 8 - V'^2 / (12 V), from 0 at y
  /// = 0 to -1/12.
  double correction() const {
    if (std::abs(v) < 0.02)
      return polynomial({-1.0 / 14, -4.0 / 525, 298.0 / 606375, 2084.0 / 10749375, 3842.0 / 165540375}, v);
    const double V1 = dV();
    const double V2 = 2 + 4 / (v * v * V) + 2 * (1 - y) / (v * v * V * V) * (4 / v + V1);
    return V2 / 8 - V1 * V1 / (12 * V);
  }

  /// log S(b y) = b exponent + 1/2 log(y^3 / V), the Legendre transform with the kernel's b / (2 y) + log 2
  /// taken out.
  double exponent() const {
    const double s = std::sqrt(std::abs(v));
    if (s == 0) return 0.5 - std::log(2.0);
    if (v > 0) return s / std::tan(2 * s) - std::log(2 * std::cos(s));
    return 2 * s / std::expm1(4 * s) - std::log1p(std::exp(-2 * s));
  }
  double exponent_slope() const {  // d / dy
    const double s = std::sqrt(std::abs(v));
    if (s == 0) return -0.5;
    const double ratio = s / (v > 0 ? std::sin(s) : std::sinh(s));
    return -0.5 * ratio * ratio;
  }

  double log_S(double b) const { return b * exponent() + 0.5 * std::log(y * y * y / V); }
  double log_S_slope(double b) const { return b * exponent_slope() + 1.5 / y - 0.5 * dV() / V; }  // d / dy

  /// The saddle point whose mean is y. Newton on 1 / y for y > 1 and on 1 / y^2 below, both nearly linear in
  /// v.
  static Saddle with_mean(double y) {
    const double p = 1 / y;
    Saddle at(p < 1 ? pi * pi / 4 - 2 * p - 0.4674 * p * p : (1 - p) * (p + 2));
    for (int i = 0; i < 50; ++i) {
      const double step = p < 1 ? (1 / at.y - p) * 2 * at.y * at.y / at.V
                                : (1 / (at.y * at.y) - p * p) * at.y * at.y * at.y / at.V;
      at = Saddle(at.v + step);
      if (std::abs(step) < 1e-6 * (1 + std::abs(at.v)))
        break;  // quadratic: the next step would be near 1e-12
    }
    return at;
  }
};

// ---- the draw
// ------------------------------------------------------------------------------------------------------

/// Inverse Gaussian with density prop. to x^(-3/2) exp(-shape / (2 x) - shape inverse_mean^2 x / 2)
/// [michael1976], in a form that does not cancel and allows an infinite mean.
double inverse_gaussian(double inverse_mean, double shape, Rng& rng) {
  const double z = rng.normal(), c = z * z / (2 * shape);
  const double x = 1 / (inverse_mean + c + std::sqrt(c * (2 * inverse_mean + c)));
  return rng.uniform() * (1 + inverse_mean * x) <= 1 ? x : 1 / (inverse_mean * inverse_mean * x);
}

double draw_by_series(double b, double sigma, Rng& rng) {
  const double m = b * tilted_mean(sigma);
  const Series at = sum_series(b, m);
  const double rate = std::max(0.0, -at.slope / at.value);
  const double inverse_mean = std::sqrt(sigma * sigma + 2 * rate) / b;
  while (true) {
    const double x = inverse_gaussian(inverse_mean, b * b, rng);
    if (rng.uniform() * at.value < sum_series(b, x).value * std::exp(rate * (x - m))) return x;
  }
}

double draw_by_saddle_point(double b, double sigma, Rng& rng) {
  const Saddle at(-sigma * sigma);
  const double rate = std::max(0.0, -at.log_S_slope(b));  // per unit of y = x / b
  const double log_S = at.log_S(b);
  const double inverse_mean = std::sqrt(sigma * sigma + 2 * rate / b);
  while (true) {
    const double y = inverse_gaussian(inverse_mean, b, rng);
    const Saddle point = Saddle::with_mean(y);
    // The correction is negative, so the tangent to the uncorrected log S stays above.
    if (std::log(rng.uniform()) < point.log_S(b) + point.correction() / b - log_S + rate * (y - at.y))
      return b * y;
  }
}

}  // namespace

double polya_gamma(double shape, double tilt, Rng& rng) {
  check_positive("polya_gamma", "shape", shape);
  check_finite("polya_gamma", "tilt", tilt);
  const double sigma = std::abs(tilt) / 2;
  if (sigma > 30)
    return inverse_gaussian(sigma / shape, shape * shape, rng) / 4;  // 1 - S < exp(-2 sigma) (2 + b)
  return (shape <= largest_series_shape ? draw_by_series(shape, sigma, rng)
                                        : draw_by_saddle_point(shape, sigma, rng)) /
         4;
}

double pg_mean(double shape, double tilt) {
  check_positive("pg_mean", "shape", shape);
  check_finite("pg_mean", "tilt", tilt);
  return shape / 4 * tilted_mean(std::abs(tilt) / 2);
}

double pg_variance(double shape, double tilt) {
  check_positive("pg_variance", "shape", shape);
  check_finite("pg_variance", "tilt", tilt);
  const double sigma = tilt / 2;
  return shape / 16 * Saddle(-sigma * sigma).V;
}

}  // namespace bochner
