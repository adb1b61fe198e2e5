#include "bochner/kernels/bessel_ratios.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"

namespace bochner {

HarmonicLogs harmonic_logs(double z, Index n) {
  check_positive("harmonic_logs", "z", z);
  check_at_least("harmonic_logs", "n", n, 0);
  // A step down shrinks the error of the start by r^2, so at j <= n it is down to (c_top / c_j)^2; c is the law of a
  // difference of two Poisson(z / 2) counts, with tails below exp(-j^2 / (2 z + 2 j / 3)): beyond 40 + 12 sqrt(z)
  // nothing is left of it, nor of the sum.
  const Index top = n + 40 + static_cast<Index>(12 * std::sqrt(z));
  // The recurrence runs in the slope s_j = z (r_j - 1) + j itself, r_{j-1} = 1 / (1 + (s_j + j) / z) and
  // s_{j-1} = j - 1 - (s_j + j) r_{j-1}: subtracting 1 from r_j afterwards would cost z eps.
  const double start = double(top) + 1;
  double r = z / (start + std::hypot(start, z));  // a lower bound [amos1974, Eq. 9]
  double s = z * (r - 1) + double(top);
  double tail = 0;  // sum_{i > j} c_i / c_j
  HarmonicLogs out{Vector(n + 1), Vector(n + 1)};
  for (Index j = top; j >= 0; --j) {
    tail = r * (1 + tail);
    if (j <= n) {
      out.log_c(j) = std::log(r);
      out.slope(j) = s;
    }
    const double sum = s + double(j);
    r = 1 / (1 + sum / z);
    s = double(j - 1) - sum * r;
  }
  double log_c = -std::log1p(2 * tail);
  for (Index j = 0; j <= n; ++j) {
    const double log_r = out.log_c(j);
    out.log_c(j) = log_c;
    log_c += log_r;
  }
  return out;
}

double draw_harmonic(Rng& rng) {
  const double u = rng.uniform();
  const double side =
      rng.uniform() < 0.5 ? -1 : 1;  // drawn even for j = 0, so that every draw advances alike
  return side * std::floor(4 * (std::pow(u, -1.0 / 3) - 1));
}

double log_harmonic_law(double j) {
  const double n = std::abs(j);
  // (4 / (4 + n))^3 - (4 / (5 + n))^3 as a product of positive terms, halved for the two signs of j != 0
  const double a = 4 + n, b = 5 + n;
  return std::log(64 * (b * b + a * b + a * a)) - 3 * std::log(a * b) - (n > 0 ? std::log(2.0) : 0);
}

}  // namespace bochner
