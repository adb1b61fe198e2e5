#include "bochner/random/count_log_pmf.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bochner::count_log_pmf_test {
namespace {

// Reference values: mpmath with 50 digits, k log m - m - loggamma(k + 1) and its binomial counterpart.
TEST(CountLogPmf, PoissonAgreesWithFiftyDigits) {
  struct Case {
    Index k;
    double mean, value;
  };
  for (const Case& c :
       {Case{0, 0.1, -0.1}, Case{1, 0.1, -2.40258509299404568}, Case{7, 3, -3.83487534038864646},
        Case{30, 30, -2.62231489896550312}, Case{16, 30, -6.2527019994861868},
        Case{10300, 1e4, -9.99455929883576865}, Case{999000000, 1e9, -511.44682125162786},
        Case{3, 1e-5, -36.33054586413874}, Case{100, 1, -364.73937555556349}})
    EXPECT_NEAR(poisson_log_pmf(c.k, c.mean), c.value, 1e-13 * std::max(1.0, std::abs(c.value)))
        << c.k << " given mean " << c.mean;
}

TEST(CountLogPmf, BinomialAgreesWithFiftyDigits) {
  struct Case {
    Index k, n;
    double p, value;
  };  // every p is a sum of powers of two: exact in the reference too
  for (const Case& c : {Case{0, 7, 0.25, -2.01377450716246649}, Case{7, 7, 0.25, -9.70406052783923433},
                        Case{2, 7, 0.25, -1.16647664677526288}, Case{40, 100, 0.375, -2.64282545807867917},
                        Case{100, 100000, 0.0009765625, -3.24978686203695394},
                        Case{500100000, 1000000000, 0.5, -30.5874243847012681},
                        Case{1, 1000000000, 9.5367431640625e-07, -946.814447974467731}})
    EXPECT_NEAR(binomial_log_pmf(c.k, c.n, c.p), c.value, 1e-13 * std::max(1.0, std::abs(c.value)))
        << c.k << " of " << c.n << " at " << c.p;
}

TEST(CountLogPmf, EdgesAreExact) {
  const double minus_infinity = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(poisson_log_pmf(0, 0), 0);
  EXPECT_EQ(poisson_log_pmf(2, 0), minus_infinity);
  EXPECT_EQ(binomial_log_pmf(0, 5, 0), 0);
  EXPECT_EQ(binomial_log_pmf(1, 5, 0), minus_infinity);
  EXPECT_EQ(binomial_log_pmf(5, 5, 1), 0);
  EXPECT_EQ(binomial_log_pmf(4, 5, 1), minus_infinity);
  EXPECT_EQ(binomial_log_pmf(0, 0, 0.3), 0);
  EXPECT_THROW(poisson_log_pmf(-1, 2), std::exception);
  EXPECT_THROW(poisson_log_pmf(1, -2), std::exception);
  EXPECT_THROW(binomial_log_pmf(3, 2, 0.5), std::exception);
  EXPECT_THROW(binomial_log_pmf(1, 2, 1.5), std::exception);
}

}  // namespace
}  // namespace bochner::count_log_pmf_test
