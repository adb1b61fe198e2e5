#include "bochner/kernels/negative_exp.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bochner::negative_exp_test {
namespace {

TEST(NegativeExp, IsRightToTheLastPlace) {
  double worst = 0;
  for (int i = 0; i < 300'000; ++i) {
    Lanes x;  // all magnitudes from 1e-6 to 708 share a register
    for (int k = 0; k < 8; ++k) x(k) = -708.0 * (i + 0.125 * k) / 300'000 * std::pow(10.0, -k);
    const Lanes y = negative_exp(x);
    for (int k = 0; k < 8; ++k) {
      const long double exact = std::exp(static_cast<long double>(x(k)));
      const double below = static_cast<double>(exact);
      const double unit = std::nextafter(below, 2.0) - below;
      worst = std::max(worst, static_cast<double>(std::abs(y(k) - exact)) / unit);
    }
  }
  EXPECT_LT(worst, 1.1);
}

TEST(NegativeExp, EndsOfTheRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const double payload = std::bit_cast<double>(std::uint64_t{0x7FF00000000007A2});  // R's NA
  Lanes x;
  x << 0, -0.0, -1e-320, -708, -800, -inf, nan, payload;
  const Lanes y = negative_exp(x);
  for (int k : {0, 1, 2}) EXPECT_EQ(y(k), 1) << k;
  EXPECT_NEAR(y(3) / std::exp(-708.0), 1, 1e-15);
  EXPECT_EQ(y(4), y(3));
  EXPECT_EQ(y(5), y(3));
  EXPECT_TRUE(std::isnan(y(6)));
  EXPECT_TRUE(std::isnan(y(7)));
}

}  // namespace
}  // namespace bochner::negative_exp_test
