#include "bochner/assess/mean_se.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::mean_se_test {
namespace {

TEST(MeanSe, OfFourNumbersByHand) {
  MeanSe m;
  EXPECT_TRUE(std::isnan(m.mean()));
  m.add(1e9 + 1);
  EXPECT_TRUE(std::isnan(m.se()));
  for (const double x : {1e9 + 2, 1e9 + 4, 1e9 + 5}) m.add(x);
  EXPECT_EQ(m.count(), 4);
  EXPECT_EQ(m.mean(), 1e9 + 3);
  EXPECT_NEAR(m.se(), std::sqrt(10.0 / 3 / 4), 1e-7);  // sums of squares would leave nothing of it
}

}  // namespace
}  // namespace bochner::mean_se_test
