#include "bochner/likelihoods/negative_binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "bochner/likelihoods/poisson.hpp"
#include "bochner/likelihoods/predictive.hpp"

namespace bochner::negative_binomial_test {
namespace {

Matrix cell(double x) { return Matrix::Constant(1, 1, x); }
NegativeBinomial of(double log_rate, double size) {
  return {.log_rate = Vector{{log_rate}}, .size = Vector{{size}}};
}

// scipy.stats.nbinom(n = size, p = size / (size + mu)): logpmf and cdf.
TEST(NegativeBinomial, AgreesWithScipy) {
  const double pins[][5] = {{0, 1.5, 0.7, -0.8015926130121019, 0.448613926502495},
                            {3, 1.5, 0.7, -2.5751237588747524, 0.8629566855707894},
                            {12, 4, 3, -4.746423529869832, 0.9838714646111201},
                            {150, 90, 25, -7.550044367044229, 0.9952311857855003}};
  for (const auto& [y, mu, size, logpmf, cdf] : pins) {
    const NegativeBinomial l = of(0.4, size);
    const Matrix f = cell(std::log(mu) - 0.4);
    EXPECT_NEAR(l.log_predictive(cell(y), f, cell(0))(0, 0), logpmf, 1e-12) << y;
    EXPECT_NEAR(l.expected_log(cell(y), f, cell(0)).rows(0), logpmf, 1e-12) << y;
    EXPECT_NEAR(cumulative(l, {{f, cell(0)}}, cell(y), Threads(1))(0, 0), cdf, 1e-13) << y;
  }
}

// The same averaged over f ~ N(m, v) by scipy.integrate.quad: E logpmf, log E pmf, E cdf.
TEST(NegativeBinomial, PinnedIntegrals) {
  const double pins[][8] = {
      {3, 0.2, 0.4, 0.6, 0.7, -2.7126671188220706, -2.6453855294984256, 0.7908123300413338},
      {0, -1, 0.3, 2, 3, -0.8419843974096477, -0.5518866768528806, 0.5758623187232184},
      {150, 4, 0.5, 0.05, 25, -8.291571462526774, -6.192896879962043, 0.958052415650157}};
  for (const auto& [y, log_rate, m, v, size, expected, predictive, cdf] : pins) {
    const NegativeBinomial l = of(log_rate, size);
    EXPECT_NEAR(l.expected_log(cell(y), cell(m), cell(v)).rows(0), expected, 1e-10) << y;
    EXPECT_NEAR(l.log_predictive(cell(y), cell(m), cell(v))(0, 0), predictive, 1e-10) << y;
    EXPECT_NEAR(cumulative(l, {{cell(m), cell(v)}}, cell(y), Threads(1))(0, 0), cdf, 1e-10) << y;
  }
}

TEST(NegativeBinomial, IsPoissonWhereTheSizeIsLarge) {
  const NegativeBinomial l = of(1.1, 1e9);
  const Poisson limit{.log_rate = Vector{{1.1}}};
  for (const double y : {0.0, 4.0, 30.0}) {
    const Matrix m = cell(0.3), v = cell(0.4);
    EXPECT_NEAR(l.log_predictive(cell(y), m, v)(0, 0), limit.log_predictive(cell(y), m, v)(0, 0), 1e-6);
    EXPECT_NEAR(l.expected_log(cell(y), m, v).rows(0), limit.expected_log(cell(y), m, v).rows(0), 1e-6);
  }
}

TEST(NegativeBinomial, ExtremeMarginals) {
  for (const double y : {0.0, 1.0, 1e6})
    for (const double m : {-300.0, -5.0, 0.0, 14.0, 100.0})
      for (const double size : {1e-3, 1.0, 1e6})
        for (const double v : {0.0, 1e-12, 0.1, 10.0, 1e4}) {
          const NegativeBinomial l = of(0, size);
          EXPECT_TRUE(std::isfinite(l.log_predictive(cell(y), cell(m), cell(v))(0, 0)))
              << y << " " << m << " " << size << " " << v;
          EXPECT_TRUE(std::isfinite(l.expected_log(cell(y), cell(m), cell(v)).rows(0)))
              << y << " " << m << " " << size << " " << v;
        }
}

// E mu = exp(m + v/2), E mu^2 = exp(2 m + 2 v), Var = E mu + E mu^2 (1 + 1 / size) - (E mu)^2.
TEST(NegativeBinomial, Moments) {
  const Outcome o = of(0.2, 1.6).outcome(cell(0.3), cell(0.5));
  EXPECT_NEAR(o.mean(0, 0), std::exp(0.75), 1e-14);
  EXPECT_NEAR(o.variance(0, 0), std::exp(0.75) + std::exp(2.0) * (1 + 1 / 1.6) - std::exp(1.5), 1e-12);
}

TEST(NegativeBinomial, OutcomesAreCounts) {
  EXPECT_THROW(of(0, 1).check_outcomes(cell(1.5)), std::domain_error);
  EXPECT_THROW(of(0, 1).check_outcomes(cell(-1)), std::domain_error);
  EXPECT_THROW(of(0, -1).check_outcomes(cell(1)), std::domain_error);
}

}  // namespace
}  // namespace bochner::negative_binomial_test
