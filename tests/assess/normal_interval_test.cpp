#include "bochner/assess/normal_interval.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace bochner::normal_interval_test {
namespace {

TEST(NormalInterval, QuantilesOfTables) {  // of R's qnorm
  EXPECT_EQ(normal_quantile_of_interval(0), 0);
  EXPECT_NEAR(normal_quantile_of_interval(0.5), 0.67448975019608174, 1e-14);
  EXPECT_NEAR(normal_quantile_of_interval(0.9), 1.6448536269514722, 1e-14);
  EXPECT_NEAR(normal_quantile_of_interval(0.95), 1.9599639845400545, 1e-14);
  EXPECT_NEAR(normal_quantile_of_interval(0.999), 3.2905267314918948, 1e-12);
  EXPECT_THROW(normal_quantile_of_interval(1), std::domain_error);
  EXPECT_THROW(normal_quantile_of_interval(-0.1), std::domain_error);
}

}  // namespace
}  // namespace bochner::normal_interval_test
