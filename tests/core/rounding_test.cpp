#include <gtest/gtest.h>

#include <cmath>

namespace bochner::rounding_test {
namespace {

// (1 + 2^-30)^2 = 1 + 2^-29 + 2^-60, of which a rounded product loses the last term and a fused one does not.
TEST(Rounding, ProductsAreRoundedBeforeTheyAreAdded) {
  const volatile double x = 1 + 0x1p-30, minus = -(1 + 0x1p-29);
  const double a = x, c = minus;
  EXPECT_EQ(a * a + c, 0);  // -ffp-contract=off (cmake/toolchain.cmake)
  EXPECT_EQ(std::fma(a, a, c), 0x1p-60);
}

}  // namespace
}  // namespace bochner::rounding_test
