#include "bochner/random/log_gamma.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/core/types.hpp"

namespace bochner::log_gamma_test {
namespace {

TEST(LogGamma, HasTheKnownValues) {
  EXPECT_NEAR(log_gamma(0.5), 0.5 * std::log(pi), 1e-15);
  EXPECT_NEAR(log_gamma(1), 0, 1e-15);
  EXPECT_NEAR(log_gamma(5), std::log(24.0), 1e-14);
  double product = 0;  // log 170!
  for (int k = 2; k <= 170; ++k) product += std::log(double(k));
  EXPECT_NEAR(log_gamma(171), product, 1e-11);
  // Gamma(x) = Gamma(x + 1) / x near the pole, Stirling's series far away
  EXPECT_NEAR(log_gamma(1e-8), log_gamma(1 + 1e-8) - std::log(1e-8), 1e-13);
  const double x = 1e6;
  EXPECT_NEAR(log_gamma(x), (x - 0.5) * std::log(x) - x + 0.5 * log_2pi + 1 / (12 * x), 1e-8);
}

}  // namespace
}  // namespace bochner::log_gamma_test
