#include "bochner/random/count_draws.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "bochner/random/count_log_pmf.hpp"

namespace bochner::count_draws_test {
namespace {

using Pmf = std::function<double(Index)>;

/// log P(k) of NB(r, odds), from its definition.
double negative_binomial_log_pmf(Index k, double r, double odds) {
  const double x = static_cast<double>(k);
  return std::lgamma(x + r) - std::lgamma(r) - std::lgamma(x + 1) + x * std::log(odds / (1 + odds)) -
         r * std::log1p(odds);
}

/// Pearson's statistic over cells of neighbouring counts with at least 20 expected draws, as a standard
/// normal by the cube root of Wilson and Hilferty. Large positive: wrong law. Large negative: too regular to
/// be random.
double goodness_of_fit(const std::vector<Index>& draws, const Pmf& log_pmf) {
  std::map<Index, double> seen;
  for (const Index k : draws) ++seen[k];
  const double n = static_cast<double>(draws.size());
  double statistic = 0, cells = 0, expected = 0, observed = 0, left_expected = n, left_observed = n;
  for (Index k = 0;; ++k) {
    expected += n * std::exp(log_pmf(k));
    if (left_expected - expected < 20) break;  // k and all beyond it make the last cell
    if (const auto it = seen.find(k); it != seen.end()) observed += it->second;
    if (expected < 20) continue;
    statistic += (observed - expected) * (observed - expected) / expected;
    ++cells;
    left_expected -= expected;
    left_observed -= observed;
    expected = observed = 0;
  }
  statistic += (left_observed - left_expected) * (left_observed - left_expected) / left_expected;
  const double v = 2 / (9 * cells);  // cells + 1 cells in all: cells degrees of freedom
  return (std::cbrt(statistic / cells) - 1 + v) / std::sqrt(v);
}

/// Mean and variance of the draws, each in standard errors from the truth; the error of the variance comes
/// from the draws' own fourth moment.
void expect_moments(const std::vector<Index>& draws, double mean, double variance) {
  const double n = static_cast<double>(draws.size());
  double m1 = 0, m2 = 0, m4 = 0;
  for (const Index k : draws) {
    const double d = static_cast<double>(k) - mean;
    m1 += d / n;
    m2 += d * d / n;
    m4 += d * d * d * d / n;
  }
  EXPECT_LT(std::abs(m1), 4 * std::sqrt(variance / n));
  EXPECT_LT(std::abs(m2 - variance), 4 * std::sqrt((m4 - m2 * m2) / n));
}

std::vector<Index> many(Index n, const std::function<Index(Rng&)>& draw, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Index> out(static_cast<std::size_t>(n));
  for (Index& k : out) k = draw(rng);
  return out;
}

// A million draws, since the constants of the rejection are meant to be seen: a slip in one of them (0.43, 0.9277)
// moves probabilities by a part in a thousand or less.
TEST(Poisson, MomentsAndGoodnessOfFit) {
  for (const double mean : {0.1, 3.0, 9.99, 10.0, 30.0, 1e4}) {
    SCOPED_TRACE(mean);
    const auto draws = many(
        1'000'000, [&](Rng& rng) { return poisson(mean, rng); }, 11);
    expect_moments(draws, mean, mean);
    EXPECT_LT(std::abs(goodness_of_fit(draws, [&](Index k) { return poisson_log_pmf(k, mean); })), 4);
  }
}

TEST(Poisson, HugeMeansKeepTheirMoments) {
  for (const double mean : {1e9, 1e15}) {
    SCOPED_TRACE(mean);
    expect_moments(many(
                       100'000, [&](Rng& rng) { return poisson(mean, rng); }, 12),
                   mean, mean);
  }
}

TEST(Binomial, MomentsAndGoodnessOfFit) {
  struct Case {
    Index n;
    double p;
  };
  for (const Case& c : {Case{1, 0.3}, Case{10, 0.02}, Case{10, 0.7}, Case{20, 0.5}, Case{100, 0.1},
                        Case{100, 0.93}, Case{1000, 0.4}, Case{1'000'000, 3e-6}, Case{1'000'000, 0.01}}) {
    SCOPED_TRACE(::testing::Message() << c.n << " " << c.p);
    const auto draws = many(
        1'000'000, [&](Rng& rng) { return binomial(c.n, c.p, rng); }, 13);
    expect_moments(draws, double(c.n) * c.p, double(c.n) * c.p * (1 - c.p));
    EXPECT_LT(std::abs(goodness_of_fit(draws, [&](Index k) { return binomial_log_pmf(k, c.n, c.p); })), 4);
  }
}

TEST(NegativeBinomial, MomentsAndGoodnessOfFit) {
  struct Case {
    double r, odds;
  };
  for (const Case& c : {Case{0.3, 0.5}, Case{1, 3}, Case{2.5, 12}, Case{40, 0.05}, Case{100, 100}}) {
    SCOPED_TRACE(::testing::Message() << c.r << " " << c.odds);
    const auto draws = many(
        200'000, [&](Rng& rng) { return negative_binomial(c.r, c.odds, rng); }, 14);
    expect_moments(draws, c.r * c.odds, c.r * c.odds * (1 + c.odds));
    const auto log_pmf = [&](Index k) { return negative_binomial_log_pmf(k, c.r, c.odds); };
    EXPECT_LT(std::abs(goodness_of_fit(draws, log_pmf)), 4);
  }
}

TEST(Multinomial, CountsAddUpAndHaveTheRightMeansAndCovariances) {
  const Vector weights{{2, 0, 5, 1e-3, 3}};
  const Vector p = weights / weights.sum();
  const Index draws = 40'000, n = 30;
  Matrix C(draws, 5);
  Rng rng(15);
  for (Index i = 0; i < draws; ++i) {
    const IndexVector counts = multinomial(n, weights, rng);
    ASSERT_EQ(counts.sum(), n);
    ASSERT_EQ(counts(1), 0);
    C.row(i) = counts.cast<double>().transpose();
  }
  for (Index j = 0; j < 5; ++j)
    for (Index k = 0; k <= j;
         ++k) {  // covariance n (p_j [j = k] - p_j p_k); its error from the products themselves
      const Vector products = (C.col(j).array() - n * p(j)) * (C.col(k).array() - n * p(k));
      const double se = std::sqrt((products.array() - products.mean()).square().mean() / double(draws));
      EXPECT_LE(std::abs(products.mean() - n * (p(j) * double(j == k) - p(j) * p(k))), 4 * se) << j << k;
    }
  for (Index j = 0; j < 5; ++j)
    EXPECT_LE(std::abs(C.col(j).mean() - n * p(j)), 4 * std::sqrt(n * p(j) * (1 - p(j)) / double(draws)))
        << j;
}

TEST(CountDraws, EdgesAndBadArguments) {
  Rng rng(16);
  EXPECT_EQ(poisson(0, rng), 0);
  EXPECT_EQ(binomial(0, 0.4, rng), 0);
  EXPECT_EQ(binomial(9, 0, rng), 0);
  EXPECT_EQ(binomial(9, 1, rng), 9);
  EXPECT_EQ(negative_binomial(2, 0, rng), 0);
  EXPECT_EQ(multinomial(0, Vector::Ones(3), rng).sum(), 0);
  EXPECT_THROW(poisson(-1, rng), std::domain_error);
  EXPECT_THROW(poisson(std::nan(""), rng), std::domain_error);
  EXPECT_THROW(poisson(1e16, rng), std::domain_error);
  EXPECT_THROW(binomial(4, 1.1, rng), std::domain_error);
  EXPECT_THROW(negative_binomial(0, 1, rng), std::domain_error);
  EXPECT_THROW(multinomial(4, Vector::Zero(3), rng), std::domain_error);
  EXPECT_THROW(multinomial(4, Vector{{1, -1}}, rng), std::domain_error);
}

}  // namespace
}  // namespace bochner::count_draws_test
