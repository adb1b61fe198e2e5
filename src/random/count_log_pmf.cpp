#include "bochner/random/count_log_pmf.hpp"

#include <cmath>
#include <limits>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

/// log n! - log(sqrt(2 pi n) (n / e)^n), n >= 1.
double stirling_error(double n) {
  constexpr double small[] = {0.08106146679532725822,  0.041340695955409294094,  0.027677925684998339149,
                              0.020790672103765093112, 0.016644691189821192163,  0.013876128823070747999,
                              0.011896709945891770095, 0.010411265261972096497,  0.0092554621827127329177,
                              0.008330563433362871257, 0.007573675487951840795,  0.0069428401072095298657,
                              0.006408994188004207068, 0.0059513701127588477356, 0.005554733551962801371};
  if (n <= 15) return small[static_cast<Index>(n) - 1];
  const double n2 = n * n;  // the series of Stirling; the first term left out is 1e-16 at n = 16
  return (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / n2) / n2) / n2) / n2) / n;
}

/// x log(x / m) + m - x >= 0, x and m > 0, without cancellation where x is near m [loader2000, Sec. 3].
double deviance(double x, double m) {
  const double v = (x - m) / (x + m);
  if (std::abs(v) >= 0.1) return x * std::log(x / m) + m - x;
  // log(x / m) = 2 atanh(v), so the sum is (x - m) v + 2 x (v^3 / 3 + v^5 / 5 + ..)
  double sum = (x - m) * v, term = 2 * x * v;
  for (double power = 3;; power += 2) {
    term *= v * v;
    const double next = sum + term / power;
    if (next == sum) return sum;
    sum = next;
  }
}

}  // namespace

double poisson_log_pmf(Index k, double mean) {
  check_at_least("poisson_log_pmf", "k", k, 0);
  check_non_negative("poisson_log_pmf", "mean", mean);
  if (k == 0) return -mean;
  if (mean == 0) return minus_infinity;
  const double x = static_cast<double>(k);
  return -stirling_error(x) - deviance(x, mean) - 0.5 * std::log(2 * pi * x);
}

double binomial_log_pmf(Index k, Index n, double p) {
  check_at_least("binomial_log_pmf", "k", k, 0);
  check_at_least("binomial_log_pmf", "n", n, k);
  check_between("binomial_log_pmf", "p", p, 0, 1);
  if (p == 0) return k == 0 ? 0 : minus_infinity;
  if (p == 1) return k == n ? 0 : minus_infinity;
  const double size = static_cast<double>(n), x = static_cast<double>(k), y = static_cast<double>(n - k);
  if (k == 0) return size * std::log1p(-p);
  if (k == n) return size * std::log(p);
  return stirling_error(size) - stirling_error(x) - stirling_error(y) - deviance(x, size * p) -
         deviance(y, size * (1 - p)) + 0.5 * std::log(size / (2 * pi * x * y));
}

}  // namespace bochner
