#include "bochner/likelihoods/bernoulli.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>

namespace bochner::bernoulli_test {
namespace {

Matrix cell(double x) { return Matrix::Constant(1, 1, x); }

// mpmath, 40 digits: log(erfc(-x / sqrt 2) / 2) and its derivatives.
TEST(LogPhi, PinnedValues) {
  const double pins[][4] = {{-1e4, -50000010.129278915, 10000.000099999998, -0.9999999900000006},
                            {-40, -804.60844201375379, 40.024968847207264, -0.99937733162140861},
                            {-10, -53.231285150512471, 10.098093233962512, -0.99055462217434374},
                            {-6.5, -23.938149495161839, 6.6473013611904907, -0.97915653874676089},
                            {-6, -20.736768949974706, 6.1584826045445989, -0.97601236321083323},
                            {-5.5, -17.779376352625261, 5.6714103138973056, -0.97213822214555377},
                            {-1, -1.8410216450092635, 1.5251352761609812, -0.80090233442965121},
                            {0, -0.69314718055994531, 0.79788456080286536, -0.63661977236758134},
                            {0.5, -0.36894641528865639, 0.50916043383703349, -0.5138245643036329},
                            {3, -0.0013508099647481938, 0.0044378390421256638, -0.013333211541740806},
                            {9, -1.1285884059538406e-19, 1.0279773571668915e-18, -9.2517962145020233e-18}};
  for (const auto& [x, value, first, second] : pins) {
    const LogPhi l = log_phi(x);
    EXPECT_NEAR(l.value / value, 1, 2e-14) << x;
    EXPECT_NEAR(l.first / first, 1, 2e-14) << x;
    EXPECT_NEAR(l.second / second, 1, 1e-12) << x;
  }
  EXPECT_TRUE(std::isfinite(log_phi(-1e150).value));
  EXPECT_EQ(log_phi(50).value, 0);
  EXPECT_EQ(log_phi(50).first, 0);
}

// mpmath, 40 digits: quad over f of log Phi, phi / Phi and half its derivative.
TEST(Bernoulli, PinnedIntegrals) {
  const double pins[][5] = {{0.3, 2, -1.0175674064545278, 0.83395452654528822, -0.25947962504646619},
                            {-1.5, 0.04, -2.7229421031830585, 1.9403482135337307, -0.42465769627594669},
                            {-3, 25, -16.617705531738297, 4.0691431528087944, -0.3609406611645946},
                            {2, 400, -86.543902417990634, 7.0955076483603235, -0.23079966168432265}};
  for (const auto& [m, v, value, dmean, dvar] : pins) {
    const ExpectedLog one = Bernoulli{}.expected_log(cell(1), cell(m), cell(v));
    const ExpectedLog zero = Bernoulli{}.expected_log(cell(0), cell(-m), cell(v));
    EXPECT_NEAR(one.rows(0), value, 1e-11 * std::max(1.0, v));
    EXPECT_NEAR(one.dmean(0, 0), dmean, 1e-11 * std::max(1.0, v));
    EXPECT_NEAR(one.dvar(0, 0), dvar, 1e-11 * std::max(1.0, v));
    EXPECT_DOUBLE_EQ(zero.rows(0), one.rows(0));  // Phi(-f) = 1 - Phi(f)
    EXPECT_DOUBLE_EQ(zero.dmean(0, 0), -one.dmean(0, 0));
    EXPECT_DOUBLE_EQ(zero.dvar(0, 0), one.dvar(0, 0));
  }
}

// For sd far above 1, log Phi(f) is -min(f, 0)^2 / 2, so E = -v / 4 at m = 0, up to a logarithm.
TEST(Bernoulli, VeryWideMarginals) {
  const double v = 1e8;
  EXPECT_NEAR(Bernoulli{}.expected_log(cell(1), cell(0), cell(v)).rows(0) / (-v / 4), 1, 1e-6);
  EXPECT_NEAR(Bernoulli{}.expected_log(cell(1), cell(0), cell(v)).dvar(0, 0), -0.25, 1e-3);
}

// scipy.stats.norm.logcdf(m / sqrt(1 + v))
TEST(Bernoulli, PredictiveIsProbit) {
  const Matrix M{{0.8, -70.0}}, V{{1.25, 3.0}};
  const Matrix L = Bernoulli{.outputs_ = 2}.log_predictive(Matrix{{1, 1}}, M, V);
  EXPECT_NEAR(L(0, 0), std::log(0.5 * std::erfc(-0.8 / 1.5 / std::sqrt(2.0))), 1e-14);
  EXPECT_NEAR(L(0, 1), log_phi(-35).value, 1e-10);
  const Bernoulli l{.outputs_ = 2};
  EXPECT_NEAR(l.outcome(M, V).variance(0, 0), l.probabilities(M, V)(0, 0) * (1 - l.probabilities(M, V)(0, 0)),
              1e-16);
}

TEST(Bernoulli, OutcomesAreZeroOrOne) {
  try {
    Bernoulli{.outputs_ = 2}.check_outcomes(Matrix{{0, 1}, {1, 0.5}});
    FAIL();
  } catch (const std::domain_error& e) {
    EXPECT_STREQ(e.what(), "Bernoulli: row 2, column 2 of Y is 0.5, but must be 0 or 1");
  }
}

}  // namespace
}  // namespace bochner::bernoulli_test
