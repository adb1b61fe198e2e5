#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner::testing {

// Tests of samples against a law. A right sampler fails a check with probability about 1e-4 at a random seed;
// the seeds are fixed, so it either passes always or the sampler is suspect.
inline constexpr double smallest_p_value = 1e-4;

/// n values of draw().
template <class Draw>
Vector sample(Index n, Draw&& draw) {
  Vector x(n);
  for (Index i = 0; i < n; ++i) x(i) = draw();
  return x;
}

/// Mean and variance agree with the truth within 4 standard errors, those of the variance from the fourth
/// moment.
inline void expect_moments(const Vector& x, double mean, double variance) {
  const double n = double(x.size());
  const Eigen::ArrayXd square = (x.array() - mean).square();
  const double error_of_variance = std::sqrt((square - square.mean()).square().mean() / n);
  EXPECT_NEAR(x.mean(), mean, 4 * std::sqrt(variance / n));
  EXPECT_NEAR(square.mean(), variance, 4 * error_of_variance);
}

/// P(sup |F_n - F| > distance) for a sample of size n: Kolmogorov's limit with Stephens' correction for
/// finite n.
inline double kolmogorov_p_value(double distance, double n) {
  const double lambda = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  double p = 0;
  for (int k = 1; k < 100; ++k) p += (k % 2 ? 2 : -2) * std::exp(-2.0 * k * k * lambda * lambda);
  return lambda < 0.3 ? 1 : std::clamp(p, 0.0, 1.0);
}

/// One-sample Kolmogorov-Smirnov test against a continuous distribution function.
inline void expect_distribution(Vector x, const std::function<double(double)>& cdf) {
  std::sort(x.begin(), x.end());
  const double n = double(x.size());
  double distance = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const double F = cdf(x(i));
    distance = std::max({distance, F - double(i) / n, double(i + 1) / n - F});
  }
  EXPECT_GT(kolmogorov_p_value(distance, n), smallest_p_value) << "Kolmogorov-Smirnov distance " << distance;
}

/// Two-sample Kolmogorov-Smirnov test.
inline void expect_same_distribution(Vector x, Vector y) {
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  const double n = double(x.size()), m = double(y.size());
  double distance = 0;
  for (Index i = 0, j = 0; i < x.size() && j < y.size();) {
    (x(i) <= y(j) ? i : j) += 1;
    distance = std::max(distance, std::abs(double(i) / n - double(j) / m));
  }
  EXPECT_GT(kolmogorov_p_value(distance, n * m / (n + m)), smallest_p_value)
      << "two-sample distance " << distance;
}

/// Pearson's chi-squared test of counts against probabilities; cells of probability zero must be empty.
inline void expect_counts(const std::vector<double>& counts, const std::vector<double>& probabilities) {
  ASSERT_EQ(counts.size(), probabilities.size());
  double n = 0, statistic = 0, degrees = -1;
  for (const double c : counts) n += c;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const double expected = n * probabilities[k];
    if (expected == 0) {
      EXPECT_EQ(counts[k], 0) << "cell " << k << " is impossible";
      continue;
    }
    statistic += (counts[k] - expected) * (counts[k] - expected) / expected;
    ++degrees;
  }
  EXPECT_GT(boost::math::gamma_q(degrees / 2, statistic / 2), smallest_p_value)
      << "chi-squared " << statistic << " on " << degrees << " degrees of freedom";
}

}  // namespace bochner::testing
