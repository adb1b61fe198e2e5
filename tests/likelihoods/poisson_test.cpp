#include "bochner/likelihoods/poisson.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace bochner::poisson_test {
namespace {

Matrix cell(double x) { return Matrix::Constant(1, 1, x); }

// mpmath, 40 digits: y m - exp(m + v/2) - log y!, and the log of quad over f of the Poisson probability.
TEST(Poisson, PinnedIntegrals) {
  const double pins[][5] = {{0, 0.4, 1.5, -3.1581929096897676, -1.2075445686631054},
                            {3, 0.4, 0.2, -2.2404807399281831, -2.0730876887170177},
                            {250, 5, 0.01, -33.202314949240838, -13.819007278906351},
                            {0, 6, 9, -36315.502674246638, -3.8953738981608255},
                            {7, -4, 30, -59910.666876558884, -5.139947276812385}};
  for (const auto& [y, m, v, expected, predictive] : pins) {
    EXPECT_NEAR(Poisson{}.expected_log(cell(y), cell(m), cell(v)).rows(0) / expected, 1, 1e-13);
    EXPECT_NEAR(Poisson{}.log_predictive(cell(y), cell(m), cell(v))(0, 0), predictive, 1e-10);
  }
}

// The predictive is continuous at v = 0, and the search for the mode ends wherever m and y lie.
TEST(Poisson, ExtremeMarginals) {
  for (const double y : {0.0, 1.0, 1e6})
    for (const double m : {-300.0, -5.0, 0.0, 14.0, 100.0}) {
      const double exact = Poisson{}.log_predictive(cell(y), cell(m), cell(0))(0, 0);
      if (m < 100) {
        EXPECT_NEAR(Poisson{}.log_predictive(cell(y), cell(m), cell(1e-18))(0, 0), exact,
                    1e-9 * std::max(1.0, std::abs(exact)))
            << y << " " << m;
      }
      for (const double v : {0.1, 10.0, 1e4})
        EXPECT_TRUE(std::isfinite(Poisson{}.log_predictive(cell(y), cell(m), cell(v))(0, 0)))
            << y << " " << m;
    }
}

TEST(Poisson, Moments) {
  const Outcome o = Poisson{.log_rate = Vector::Zero(2)}.outcome(Matrix{{0.3, -1}}, Matrix{{0.5, 0}});
  EXPECT_NEAR(o.mean(0, 0), std::exp(0.55), 1e-14);
  EXPECT_NEAR(o.variance(0, 0), std::exp(0.55) + std::exp(1.1) * (std::exp(0.5) - 1), 1e-13);
  EXPECT_NEAR(o.variance(0, 1), std::exp(-1.0), 1e-15);
}

TEST(Poisson, OutcomesAreCounts) {
  const Poisson l{.log_rate = Vector::Zero(2)};
  try {
    l.check_outcomes(Matrix{{0, 1}, {4, 2}, {-1, 2}});
    FAIL();
  } catch (const std::domain_error& e) {
    EXPECT_STREQ(e.what(),
                 "Poisson: row 3, column 1 of Y is -1, but must be a count: whole and not negative");
  }
  EXPECT_THROW(l.check_outcomes(Matrix{{0, 1.5}}), std::domain_error);
}

}  // namespace
}  // namespace bochner::poisson_test
