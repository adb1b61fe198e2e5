#include "bochner/kernels/gamma_quantile.hpp"

#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();

// Boost's default computes in long double: ten times slower for the last digit or two.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

/// A number and its derivative in the shape a.
struct Dual {
  double value, slope;
};

/// S = sum_{n >= 0} x^n / ((a+1)..(a+n)); each term's derivative is -term * sum_{k <= n} 1 / (a + k).
Dual lower_series(double a, double x) {
  double term = 1, harmonic = 0;
  Dual S{1, 0};
  for (double n = 1; term * (1 + harmonic) > 0.1 * eps * S.value || x > a + n; ++n) {
    term *= x / (a + n);
    harmonic += 1 / (a + n);
    S.value += term;
    S.slope -= term * harmonic;
  }
  return S;
}

/// C = 1/(b_0 + a_1/(b_1 + a_2/(b_2 + ..))), b_n = x + 2n + 1 - a, a_n = -n (n - a), by the modified Lentz method
/// [press2007, Sec. 5.2]: C_n = C_{n-1} c_n d_n with c_n = b_n + a_n / c_{n-1}, d_n = 1 / (b_n + a_n d_{n-1}).
/// When a is an integer a_a = 0 ends the fraction but not its derivative, hence the test on both.
Dual upper_fraction(double a, double x) {
  double b = x + 1 - a;
  Dual c{1e300, 0}, d{1 / b, 1 / (b * b)}, C{1 / b, 1 / (b * b)};
  for (double n = 1;; ++n) {
    const double an = -n * (n - a);  // slope n; the slope of b is -1
    b += 2;
    const double d_value = 1 / (b + an * d.value);
    d = {d_value, -d_value * d_value * (-1 + n * d.value + an * d.slope)};
    c = {b + an / c.value, -1 + n / c.value - an * c.slope / (c.value * c.value)};
    const double ratio = c.value * d.value, ratio_slope = c.slope * d.value + c.value * d.slope;
    C = {C.value * ratio, C.slope * ratio + C.value * ratio_slope};
    if (std::abs(ratio - 1) < eps && std::abs(ratio_slope) * C.value < eps * std::abs(C.slope)) return C;
    if (n > 1e7) throw NumericalError("gamma_cdf_shape_slope: the continued fraction does not converge");
  }
}

/// g = a + z sqrt(a) + (z^2 - 1)/3 + (z^3 - 7z)/36 a^-1/2 - .., z the standard normal quantile of u.
GammaQuantile large_shape(double a, double u) {
  const double z = -std::sqrt(2.0) * boost::math::erfc_inv(2 * u, InDouble()), z2 = z * z,
               root = std::sqrt(a);
  const double terms[] = {z * root, (z2 - 1) / 3, z * (z2 - 7) / (36 * root),
                          -((3 * z2 + 7) * z2 - 16) / (810 * a),
                          z * ((9 * z2 + 256) * z2 - 433) / (38880 * a * root)};
  double g = a,
         slope = 0;  // slope = a dg/da - g, term by term: c a^p gives (p - 1) c a^p, p = 1/2, 0, -1/2, ..
  double power = 0.5;
  for (const double term : terms) {
    g += term;
    slope += (power - 1) * term;
    power -= 0.5;
  }
  return {.tau = g / a, .dlog_tau = slope / g};
}

}  // namespace

double gamma_cdf_shape_slope(double a, double x) {
  check_positive("gamma_cdf_shape_slope", "a", a);
  check_positive("gamma_cdf_shape_slope", "x", x);
  if (x < a + 1) {
    const Dual S = lower_series(a, x);
    return ((std::log(x) - boost::math::digamma(a + 1, InDouble())) * S.value + S.slope) / a;
  }
  const Dual C = upper_fraction(a, x);
  return -((std::log(x) - boost::math::digamma(a, InDouble())) * C.value + C.slope);
}

GammaQuantile gamma_quantile(double a, double u) {
  check_positive("gamma_quantile", "a", a);
  check_between("gamma_quantile", "u", u, 0, 1);
  if (a > 1e5) return large_shape(a, u);
  // P(a, x) = x^a / Gamma(a + 1) (1 - x a / (a + 1) ..) where x is tiny, which small shapes make it
  const double log_g = (std::log(u) + boost::math::lgamma(a + 1, InDouble())) / a;
  if (log_g < -600)
    return {.tau = std::exp(log_g) / a, .dlog_tau = boost::math::digamma(a + 1, InDouble()) - log_g - 1};
  const double g =
      u < 0.5 ? boost::math::gamma_p_inv(a, u, InDouble()) : boost::math::gamma_q_inv(a, 1 - u, InDouble());
  return {.tau = g / a, .dlog_tau = -a * gamma_cdf_shape_slope(a, g) - 1};
}

}  // namespace bochner
