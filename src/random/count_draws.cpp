#include "bochner/random/count_draws.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"
#include "bochner/random/count_log_pmf.hpp"

namespace bochner {
namespace {

constexpr double largest_count = 1e15;  // counts stay exact in a double
constexpr double rejection_from = 10;   // the constants of PTRS and BTRS hold from this mean on

/// Walks up from zero until the cumulated probability passes a uniform; p(k+1) = p(k) ratio(k). The walk ends
/// by itself except for the sliver that rounding leaves beyond the last representable probability: draw
/// again.
template <class Ratio>
Index invert(double p_zero, const Ratio& ratio, Rng& rng) {
  while (true) {
    double u = rng.uniform(), p = p_zero;
    for (Index k = 0; p > 0; ++k) {
      if (u < p) return k;
      u -= p;
      p *= ratio(static_cast<double>(k));
    }
  }
}

Index poisson_by_rejection(double mean, Rng& rng) {
  // As published the hat dips under the density by up to 0.6 % (mean 13.25) and the squeeze reaches above it by up to
  // 0.6 % (mean 29.65), so that probabilities are off by 1e-6: both are moved by a little more than that.
  const double b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.006 * (1.1239 + 1.1328 / (b - 3.4));
  const double quick = 0.988 * (0.9277 - 3.6224 / (b - 2));
  while (true) {
    const double u = rng.uniform() - 0.5, v = rng.uniform(), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= quick) return static_cast<Index>(k);  // inside the squeeze, most draws
    if (k < 0 || (us < 0.013 && v > us)) continue;               // also keeps k far from overflow
    if (k > 2 * largest_count) continue;
    if (std::log(v * inverse_alpha / (a / (us * us) + b)) <= poisson_log_pmf(static_cast<Index>(k), mean))
      return static_cast<Index>(k);
  }
}

Index binomial_by_rejection(Index n, double p, Rng& rng) {  // p <= 1/2, n p >= 10
  const double size = static_cast<double>(n), sd = std::sqrt(size * p * (1 - p));
  const double b = 1.15 + 2.53 * sd, a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double alpha = (2.83 + 5.1 / b) * sd, quick = 0.92 - 4.2 / b;
  const double log_mode = binomial_log_pmf(static_cast<Index>(std::floor((size + 1) * p)), n, p);
  while (true) {
    const double u = rng.uniform() - 0.5, v = rng.uniform(), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + size * p + 0.5);
    if (us >= 0.07 && v <= quick) return static_cast<Index>(k);
    if (k < 0 || k > size) continue;
    if (std::log(v * alpha / (a / (us * us) + b)) <= binomial_log_pmf(static_cast<Index>(k), n, p) - log_mode)
      return static_cast<Index>(k);
  }
}

}  // namespace

Index poisson(double mean, Rng& rng) {
  check_between("poisson", "mean", mean, 0, largest_count);
  if (mean >= rejection_from) return poisson_by_rejection(mean, rng);
  return invert(
      std::exp(-mean), [mean](double k) { return mean / (k + 1); }, rng);
}

Index binomial(Index n, double p, Rng& rng) {
  check_between("binomial", "n", static_cast<double>(n), 0, largest_count);
  check_between("binomial", "p", p, 0, 1);
  if (p > 0.5) return n - binomial(n, 1 - p, rng);
  const double size = static_cast<double>(n), odds = p / (1 - p);
  if (size * p >= rejection_from) return binomial_by_rejection(n, p, rng);
  return invert(
      std::exp(size * std::log1p(-p)), [=](double k) { return (size - k) / (k + 1) * odds; }, rng);
}

Index negative_binomial(double r, double odds, Rng& rng) {
  check_positive("negative_binomial", "r", r);
  check_non_negative("negative_binomial", "odds", odds);
  return poisson(rng.gamma(r) * odds, rng);
}

IndexVector multinomial(Index n, VectorIn weights, Rng& rng) {
  check_at_least("multinomial", "n", n, 0);
  check_at_least("multinomial", "the number of categories", weights.size(), 1);
  for (Index j = 0; j < weights.size(); ++j) check_non_negative("multinomial", "a weight", weights(j));
  check_positive("multinomial", "the sum of the weights", weights.sum());
  // What is left of the weights, summed from the back: subtracting from the front would lose the small ones.
  Vector tail(weights.size());
  double sum = 0;
  for (Index j = weights.size(); j-- > 0;) tail(j) = sum += weights(j);
  IndexVector counts = IndexVector::Zero(weights.size());
  for (Index j = 0; j < weights.size() && n > 0; ++j) {
    if (weights(j) == 0) continue;
    counts(j) = binomial(n, std::min(1.0, weights(j) / tail(j)), rng);
    n -= counts(j);
  }
  return counts;
}

}  // namespace bochner
