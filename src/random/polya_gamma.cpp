#include "bochner/random/polya_gamma.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/random/polya_gamma_density.hpp"

// PG(b, z) = X / 4, where X has the density f of polya_gamma_density.hpp tilted by exp(-sigma^2 x / 2), sigma = |z| / 2.
// log S is concave, so it lies below its tangent at any point m: S(x) <= S(m) exp(-rate (x - m)). Tilt and tangent only
// change the exponential factor of the inverse-Gaussian kernel, hence the draw: x from the kernel
// x^(-3/2) exp(-b^2 / (2 x) - (sigma^2 / 2 + rate) x), accepted with probability S(x) exp(rate (x - m)) / S(m).
// With m the mean of X at least sqrt(2/3) = 0.816 of the draws are accepted whatever b and z: 0.816 at z = 0 and b
// large, nearly all for small b or large |z|.

namespace bochner {
namespace {

using detail::PgFactor;
using detail::PgSaddle;

/// Above this shape the series loses its digits to cancellation, below it the saddle point is too coarse.
constexpr double largest_series_shape = 30;

double tilted_mean(double sigma) { return sigma == 0 ? 1 : std::tanh(sigma) / sigma; }  // of X / b

/// Inverse Gaussian with density prop. to x^(-3/2) exp(-shape / (2 x) - shape inverse_mean^2 x / 2) [michael1976], in
/// a form that does not cancel and allows an infinite mean.
double inverse_gaussian(double inverse_mean, double shape, Rng& rng) {
  const double z = rng.normal(), c = z * z / (2 * shape);
  const double x = 1 / (inverse_mean + c + std::sqrt(c * (2 * inverse_mean + c)));
  return rng.uniform() * (1 + inverse_mean * x) <= 1 ? x : 1 / (inverse_mean * inverse_mean * x);
}

double draw_by_series(double b, double sigma, Rng& rng) {
  const double m = b * tilted_mean(sigma);
  const PgFactor at = detail::pg_factor_and_slope(b, m);
  const double rate = std::max(0.0, -at.slope / at.value);
  const double inverse_mean = std::sqrt(sigma * sigma + 2 * rate) / b;
  while (true) {
    const double x = inverse_gaussian(inverse_mean, b * b, rng);
    if (rng.uniform() * at.value < detail::pg_factor(b, x) * std::exp(rate * (x - m))) return x;
  }
}

double draw_by_saddle_point(double b, double sigma, Rng& rng) {
  const PgSaddle at(-sigma * sigma);
  const double rate = std::max(0.0, -at.log_factor_slope(b));  // per unit of y = x / b
  const double log_S = at.log_factor(b);
  const double inverse_mean = std::sqrt(sigma * sigma + 2 * rate / b);
  while (true) {
    const double y = inverse_gaussian(inverse_mean, b, rng);
    const PgSaddle point = PgSaddle::with_mean(y);
    // The correction is negative: the tangent to the uncorrected log S stays above.
    const double log_ratio = point.log_factor(b) + point.correction() / b - log_S + rate * (y - at.y);
    if (std::log(rng.uniform()) < log_ratio) return b * y;
  }
}

}  // namespace

double polya_gamma(double shape, double tilt, Rng& rng) {
  check_positive("polya_gamma", "shape", shape);
  check_finite("polya_gamma", "tilt", tilt);
  const double sigma = std::abs(tilt) / 2;
  if (sigma > 30)  // S = 1 to rounding: 1 - S is about (2 + b) exp(-2 sigma)
    return inverse_gaussian(sigma / shape, shape * shape, rng) / 4;
  const bool series = shape <= largest_series_shape;
  return (series ? draw_by_series(shape, sigma, rng) : draw_by_saddle_point(shape, sigma, rng)) / 4;
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
  return shape / 16 * PgSaddle(-sigma * sigma).V;
}

}  // namespace bochner
