#include <gtest/gtest.h>

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "bochner/random/rng.hpp"
#include "tests/support/goodness_of_fit.hpp"

namespace bochner::rng_draws_test {
namespace {

using testing::expect_counts;
using testing::expect_distribution;
using testing::expect_moments;
using testing::sample;

constexpr Index N = 100'000;
constexpr double inf = std::numeric_limits<double>::infinity(),
                 nan = std::numeric_limits<double>::quiet_NaN();

double normal_cdf(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

TEST(RngDraws, UniformIsInsideTheOpenInterval) {
  const Vector u = Rng(1).uniform(1'000'000);
  EXPECT_GT(u.minCoeff(), 0);
  EXPECT_LT(u.maxCoeff(), 1);
  expect_moments(u, 0.5, 1.0 / 12);
  expect_distribution(u, [](double x) { return x; });
}

TEST(RngDraws, Normal) {
  const Index n = 1'000'000;
  const Vector z = Rng(2).normal(n);
  expect_moments(z, 0, 1);
  expect_distribution(z, normal_cdf);
  const double se = 1 / std::sqrt(double(n));
  EXPECT_NEAR(z.array().cube().mean(), 0, 4 * std::sqrt(15.0) * se);
  EXPECT_NEAR(z.array().pow(4).mean(), 3, 4 * std::sqrt(96.0) * se);
  const double beyond = double((z.array().abs() > 4).count()),
               expected = double(n) * 2 * normal_cdf(-4);  // 63
  EXPECT_NEAR(beyond, expected, 4 * std::sqrt(expected));
  // The two members of a Box-Muller pair, and neighbouring pairs, are independent, not only uncorrelated.
  const Eigen::ArrayXd now = z.head(n - 1), next = z.tail(n - 1);
  EXPECT_NEAR((now * next).mean(), 0, 4 * se);
  EXPECT_NEAR(((now.square() - 1) * (next.square() - 1)).mean(), 0, 4 * 2 * se);
}

TEST(RngDraws, Exponential) {
  Rng rng(3);
  const Vector x = sample(N, [&] { return rng.exponential(); });
  expect_moments(x, 1, 1);
  expect_distribution(x, [](double t) { return -std::expm1(-t); });
}

TEST(RngDraws, Gamma) {
  Rng rng(4);
  for (const double shape : {0.1, 0.5, 0.99, 1.0, 1.7, 20.0, 1e4}) {
    SCOPED_TRACE(shape);
    const Vector x = sample(N, [&] { return rng.gamma(shape); });
    expect_moments(x, shape, shape);
    expect_distribution(x, [&](double t) { return boost::math::gamma_p(shape, t); });
  }
}

// At shape 1e-3 half of the draws underflow a double: P(log g < l) = exp(shape l) / Gamma(shape + 1) far
// below zero.
TEST(RngDraws, LogGammaWhereTheDrawUnderflows) {
  Rng rng(5);
  for (const double shape : {1e-3, 0.02, 0.5, 3.0}) {
    SCOPED_TRACE(shape);
    const Vector x = sample(N, [&] { return rng.log_gamma(shape); });
    EXPECT_TRUE(x.allFinite());
    expect_distribution(x, [&](double l) {
      return l < -30 ? std::exp(shape * l) / boost::math::tgamma(shape + 1)
                     : boost::math::gamma_p(shape, std::exp(l));
    });
  }
  EXPECT_LT(sample(1000, [&] { return rng.log_gamma(1e-3); }).minCoeff(), -2000);
}

TEST(RngDraws, GammaIsTheExponentialOfLogGamma) {
  for (const double shape : {0.2, 0.9, 1.0, 8.0}) {
    Rng a(6), b(6);
    for (int i = 0; i < 100; ++i) EXPECT_NEAR(std::log(a.gamma(shape)), b.log_gamma(shape), 1e-13);
  }
}

TEST(RngDraws, Beta) {
  Rng rng(7);
  const double shapes[][2] = {{0.2, 0.3}, {0.5, 4}, {1, 1}, {2, 5}, {300, 20}, {30, 0.4}};
  for (const auto& [a, b] : shapes) {
    SCOPED_TRACE(a);
    const Vector x = sample(N, [&, a = a, b = b] { return rng.beta(a, b); });
    expect_moments(x, a / (a + b), a * b / ((a + b) * (a + b) * (a + b + 1)));
    expect_distribution(x, [&, a = a, b = b](double t) { return boost::math::ibeta(a, b, t); });
  }
}

// Both gammas underflow, so x / (x + y) would be 0 / 0. For a, b -> 0 the law tends to a coin with P(1) = a /
// (a + b).
TEST(RngDraws, BetaOfTinyShapesIsACoin) {
  Rng rng(8);
  const Vector x = sample(N, [&] { return rng.beta(3e-4, 1e-4); });
  EXPECT_TRUE((x.array() >= 0 && x.array() <= 1).all());
  EXPECT_NEAR(x.mean(), 0.75, 4 * std::sqrt(0.75 * 0.25 / N));
}

TEST(RngDraws, ChiSquared) {
  Rng rng(9);
  for (const double degrees : {0.4, 1.0, 3.0, 50.5}) {
    SCOPED_TRACE(degrees);
    const Vector x = sample(N, [&] { return rng.chi_squared(degrees); });
    expect_moments(x, degrees, 2 * degrees);
    expect_distribution(x, [&](double t) { return boost::math::gamma_p(degrees / 2, t / 2); });
  }
}

TEST(RngDraws, BelowIsUnbiased) {
  Rng rng(10);
  for (const Index n : {1, 2, 7, 1000}) {
    SCOPED_TRACE(n);
    std::vector<double> counts(n), probabilities(n, 1.0 / double(n));
    for (Index i = 0; i < N; ++i) ++counts.at(rng.below(n));
    if (n > 1) expect_counts(counts, probabilities);
  }
  const Index large = Index(3) << 61;  // taking bits modulo this would give the lower third twice the weight
  Vector x(N);
  for (double& v : x) v = double(rng.below(large)) / double(large);
  expect_distribution(x, [](double u) { return u; });
}

TEST(RngDraws, Categorical) {
  Rng rng(11);
  const Vector weights{{0, 3, 0, 1, 0.5, 4e-3, 0}};
  const Vector log_weights = weights.array().log() - 1234.5;  // some are -inf, none would survive exp
  std::vector<double> p, counts(7), log_counts(7);
  for (const double w : weights) p.push_back(w / weights.sum());
  for (Index i = 0; i < N; ++i) {
    ++counts.at(rng.categorical(weights));
    ++log_counts.at(rng.categorical_log(log_weights));
  }
  expect_counts(counts, p);
  expect_counts(log_counts, p);
}

TEST(RngDraws, CategoricalOfARowAndOfExtremeWeights) {
  Rng rng(12);
  Matrix weights(2, 2);
  weights << 1, 0, 0, 1;
  EXPECT_EQ(rng.categorical(weights.row(0)), 0);
  EXPECT_EQ(rng.categorical(weights.row(1)), 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(rng.categorical(Vector{{0, 5e-324, 0}}), 1);
    EXPECT_EQ(rng.categorical_log(Vector{{-1e308, 700, 1e5}}), 2);
    EXPECT_EQ(rng.categorical_log(Vector{{-inf, -1e300}}), 1);
  }
}

TEST(RngDraws, PermutationsAreEquallyLikely) {
  Rng rng(13);
  std::vector<double> counts(24);
  for (Index i = 0; i < N; ++i) {
    const IndexVector p = rng.permutation(4);
    Index rank = 0;  // Lehmer code
    for (Index a = 0; a < 4; ++a) {
      Index smaller = 0;
      for (Index b = a + 1; b < 4; ++b) smaller += p(b) < p(a);
      rank = rank * (4 - a) + smaller;
    }
    ++counts.at(rank);
  }
  expect_counts(counts, std::vector<double>(24, 1.0 / 24));
}

TEST(RngDraws, PermutationHoldsEveryIndexOnce) {
  for (const Index n : {0, 1, 2, 1000}) {
    IndexVector p = Rng(14).permutation(n);
    std::sort(p.begin(), p.end());
    EXPECT_EQ(p, IndexVector::LinSpaced(n, 0, n - 1)) << n;
  }
}

TEST(RngDraws, WrongArgumentsThrow) {
  Rng rng(15);
  for (const double bad : {0.0, -1.0, inf, nan}) {
    EXPECT_THROW(rng.gamma(bad), std::domain_error) << bad;
    EXPECT_THROW(rng.log_gamma(bad), std::domain_error) << bad;
    EXPECT_THROW(rng.chi_squared(bad), std::domain_error) << bad;
    EXPECT_THROW(rng.beta(bad, 1), std::domain_error) << bad;
    EXPECT_THROW(rng.beta(1, bad), std::domain_error) << bad;
  }
  EXPECT_THROW(rng.below(0), std::invalid_argument);
  EXPECT_THROW(rng.normal(-1), std::invalid_argument);
  EXPECT_THROW(rng.normal(2, -1), std::invalid_argument);
  EXPECT_THROW(rng.uniform(-1), std::invalid_argument);
  EXPECT_THROW(rng.permutation(-1), std::invalid_argument);
  EXPECT_THROW(rng.categorical(Vector()), std::invalid_argument);
  EXPECT_THROW(rng.categorical(Vector{{0, 0}}), std::domain_error);
  EXPECT_THROW(rng.categorical(Vector{{1, -1e-9}}), std::domain_error);
  EXPECT_THROW(rng.categorical(Vector{{nan, 1}}), std::domain_error);
  EXPECT_THROW(rng.categorical(Vector{{1e308, 1e308}}), std::domain_error);
  EXPECT_THROW(rng.categorical_log(Vector()), std::invalid_argument);
  EXPECT_THROW(rng.categorical_log(Vector{{-inf, -inf}}), std::domain_error);
  EXPECT_THROW(rng.categorical_log(Vector{{0, nan}}), std::domain_error);
  EXPECT_THROW(rng.categorical_log(Vector{{0, inf}}), std::domain_error);
}

}  // namespace
}  // namespace bochner::rng_draws_test
