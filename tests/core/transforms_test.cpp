#include "bochner/core/transforms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "tests/support/gradient_check.hpp"

namespace bochner::transforms_test {
namespace {

template <class T>
struct Transforms : ::testing::Test {};
using Every = ::testing::Types<LogTransform, SoftplusTransform, TanhTransform, LogisticTransform>;
TYPED_TEST_SUITE(Transforms, Every);

TYPED_TEST(Transforms, DerivativeIsTheSlope) {
  for (const double u : {-5.0, -1.3, -0.2, 0.0, 0.4, 2.2, 6.0}) {
    const Vector slope = testing::numerical_gradient(
        [](const Vector& v) { return TypeParam::constrain(v(0)); }, Vector::Constant(1, u));
    EXPECT_NEAR(TypeParam::derivative(u) / slope(0), 1, 1e-6) << u;
  }
}

TYPED_TEST(Transforms, LogJacobianIsTheLogOfTheDerivative) {
  for (const double u : {-300.0, -30.0, -1.3, 0.0, 0.4, 2.2, 17.0, 300.0})
    EXPECT_NEAR(TypeParam::log_jacobian(u), std::log(TypeParam::derivative(u)), 1e-12 * (1 + std::abs(u)))
        << u;
  EXPECT_TRUE(std::isfinite(TypeParam::log_jacobian(-1000)));  // where the derivative itself has underflowed
  EXPECT_TRUE(std::isfinite(TypeParam::log_jacobian(1000)));
}

TYPED_TEST(Transforms, RoundTripFromTheUnconstrainedSide) {
  for (const double u : {-12.0, -3.0, -1e-8, 0.0, 1e-8, 0.7, 5.0, 12.0}) {
    // unconstrain(x) amplifies the rounding of x by 1 / derivative
    const double x = TypeParam::constrain(u);
    const double tolerance = 4e-16 * (std::abs(u) + std::abs(x) / TypeParam::derivative(u));
    EXPECT_NEAR(TypeParam::unconstrain(x), u, tolerance) << u;
  }
}

TYPED_TEST(Transforms, IsIncreasing) {
  double before = TypeParam::constrain(-12.1);
  for (double u = -12; u <= 12; u += 0.1) {
    const double x = TypeParam::constrain(u);
    EXPECT_GT(x, before) << u;
    before = x;
  }
}

template <class T>
void expect_round_trip(const std::vector<double>& values) {
  for (const double x : values) {
    const double u = T::unconstrain(x);
    ASSERT_TRUE(std::isfinite(u)) << x;
    EXPECT_NEAR(T::constrain(u) / x, 1, 1e-13 * (1 + std::abs(std::log(std::abs(x))))) << x;
  }
}

TEST(TransformsAtExtremeValues, RoundTrip) {
  expect_round_trip<LogTransform>({1e-300, 1e-12, 1, 1e12, 1e300});
  expect_round_trip<SoftplusTransform>({1e-300, 1e-12, 1e-3, 0.6931471805599453, 1, 40, 1e12, 1e300});
  expect_round_trip<TanhTransform>({-1 + 1e-12, -0.5, -1e-300, 1e-300, 1e-9, 0.3, 1 - 1e-12});
  expect_round_trip<LogisticTransform>({1e-300, 1e-12, 0.5, 1 - 1e-12});
}

TEST(TransformsAtExtremeValues, NothingOverflows) {
  EXPECT_EQ(SoftplusTransform::constrain(1e6), 1e6);
  EXPECT_EQ(SoftplusTransform::derivative(1e6), 1);
  EXPECT_EQ(SoftplusTransform::derivative(-1e6), 0);
  EXPECT_EQ(LogisticTransform::constrain(1e6), 1);
  EXPECT_EQ(LogisticTransform::constrain(-1e6), 0);
  EXPECT_EQ(TanhTransform::derivative(1e6), 0);
  EXPECT_NEAR(TanhTransform::log_jacobian(1e6), -2e6 + 2 * std::log(2.0), 1e-9);
}

TEST(TransformsAtExtremeValues, ValuesOutsideThrow) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -1.0, nan, inf}) {
    EXPECT_THROW(LogTransform::unconstrain(bad), std::domain_error) << bad;
    EXPECT_THROW(SoftplusTransform::unconstrain(bad), std::domain_error) << bad;
  }
  for (const double bad : {-1.0, 1.0, 1.5, nan})
    EXPECT_THROW(TanhTransform::unconstrain(bad), std::domain_error) << bad;
  for (const double bad : {0.0, 1.0, -0.1, nan})
    EXPECT_THROW(LogisticTransform::unconstrain(bad), std::domain_error) << bad;
}

// Pinned: scipy.special.expit(0.3), numpy.logaddexp(0, 0.3), math.tanh(0.3), math.exp(0.3).
TEST(TransformsAtExtremeValues, ValuesFromElsewhere) {
  EXPECT_DOUBLE_EQ(LogisticTransform::constrain(0.3), 0.574442516811659);
  EXPECT_DOUBLE_EQ(SoftplusTransform::constrain(0.3), 0.8543552444685272);
  EXPECT_DOUBLE_EQ(TanhTransform::constrain(0.3), 0.2913126124515909);
  EXPECT_DOUBLE_EQ(LogTransform::constrain(0.3), 1.3498588075760032);
}

}  // namespace
}  // namespace bochner::transforms_test
