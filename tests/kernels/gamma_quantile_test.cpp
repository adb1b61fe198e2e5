#include "bochner/kernels/gamma_quantile.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "tests/support/gradient_check.hpp"

namespace bochner::gamma_quantile_test {
namespace {

// mpmath, 40 digits: below x = a from hyp1f1(1, a + 1, x) and its difference quotient in a; above from the integrals
// C = int_0^inf (1 + s)^(a - 1) e^(-x s) ds and dC/da = int log(1 + s) (1 + s)^(a - 1) e^(-x s) ds.
TEST(GammaCdfShapeSlope, MatchesHighPrecision) {
  const double cases[][3] = {
      {0.01, 1e-05, -1095.21582467144846},      {0.1, 0.05, -27.3456613567378438},
      {0.1, 3.0, -3.14787238136486715},         {0.5, 0.5, -2.67470518867066937},
      {1, 0.001, -7.33445624488378554},         {1, 1, -1.17356302722472693},
      {2, 1.9, -0.557085384427500002},          {2, 9, -0.232657584913063745},
      {3.7, 4.7, -0.250264716195522203},        {3.7, 4.8, -0.247534951126969582},
      {10, 1, -0.259458536297902363},           {10, 30, -0.0558231372086462768},
      {100, 99, -0.0100671029266123527},        {100, 150, -0.00812275993482625755},
      {1234.5, 1200, -0.000821689852939237938}, {1234.5, 1300, -0.000789392584240508083}};
  for (const auto& [a, x, slope] : cases)
    EXPECT_NEAR(gamma_cdf_shape_slope(a, x) / slope, 1, 2e-13) << a << " " << x;
}

// mpmath, 40 digits: bisection on log P(a, x) = log u, slopes as above; a = 110000 is past the switch to the expansion.
TEST(GammaQuantile, MatchesHighPrecision) {
  const double cases[][4] = {{0.05, 0.4, 1.28524818927779067e-7, 17.3650312083351976},
                             {0.3, 0.9, 2.9493692445341469, -0.119816002766181075},
                             {1, 0.25, 0.287682072451780927, 1.01804843426637372},
                             {2.5, 0.01, 0.110859615345655429, 1.61285202071110392},
                             {30, 0.77, 1.12905715263502849, -0.0542231791182952652},
                             {1000, 0.3, 0.983178446757898709, 0.0086744038172387497},
                             {110000, 0.2, 0.997461536675411285, 0.00127290077087300409},
                             {110000, 0.99, 1.00702756930750777, -0.0034958988411738239}};
  for (const auto& [a, u, tau, slope] : cases) {
    const GammaQuantile q = gamma_quantile(a, u);
    EXPECT_NEAR(q.tau / tau, 1, 1e-13) << a << " " << u;
    EXPECT_NEAR(q.dlog_tau / slope, 1, 1e-10) << a << " " << u;
  }
}

TEST(GammaQuantile, OfShapeOneIsTheExponential) {
  for (const double u : {1e-12, 0.1, 0.5, 0.9, 1 - 1e-12})
    EXPECT_NEAR(gamma_quantile(1, u).tau / -std::log1p(-u), 1, 1e-13) << u;
}

TEST(GammaQuantile, SlopeIsThatOfItsValue) {
  for (const double a : {0.02, 0.4, 3.0, 50.0, 2e4, 3e5, 1e9})
    for (const double u : {0.003, 0.3, 0.7, 0.997}) {
      const Vector at = Vector::Constant(1, std::log(a));
      const auto f = [&](const Vector& log_a) { return std::log(gamma_quantile(std::exp(log_a(0)), u).tau); };
      EXPECT_NEAR(gamma_quantile(a, u).dlog_tau, testing::numerical_gradient(f, at)(0), 1e-9)
          << a << " " << u;
    }
}

TEST(GammaQuantile, IsContinuousWhereTheExpansionTakesOver) {
  for (const double u : {1e-10, 0.01, 0.5, 0.99, 1 - 1e-10}) {
    const GammaQuantile below = gamma_quantile(1e5, u), above = gamma_quantile(std::nextafter(1e5, 2e5), u);
    EXPECT_NEAR(below.tau, above.tau, 1e-13);
    EXPECT_NEAR(below.dlog_tau, above.dlog_tau, 1e-11);
  }
}

TEST(GammaQuantile, UnderflowsQuietlyAtTinyShapes) {
  const GammaQuantile q = gamma_quantile(1e-3, 0.2);  // g = 0.2^1000 or so
  EXPECT_EQ(q.tau, 0);
  EXPECT_TRUE(std::isfinite(q.dlog_tau));
  const double inside = gamma_quantile(0.0026, 0.2).dlog_tau, outside = gamma_quantile(0.0027, 0.2).dlog_tau;
  EXPECT_NEAR(inside * 0.0026, outside * 0.0027,
              0.01);  // dlog g/dlog a is about -log u / a, on both branches
}

TEST(GammaQuantile, RefusesWhatIsNoShape) {
  EXPECT_THROW(gamma_quantile(0, 0.5), std::domain_error);
  EXPECT_THROW(gamma_quantile(1, 1.5), std::domain_error);
  EXPECT_THROW(gamma_cdf_shape_slope(1, -1), std::domain_error);
}

}  // namespace
}  // namespace bochner::gamma_quantile_test
