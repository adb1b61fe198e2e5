#include "bochner/compute/vector_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace bochner::vector_math_test {
namespace {

/// Arguments from the smallest to the largest, both signs, with neighbours of very different size.
template <class T>
std::vector<T> arguments() {
  std::vector<T> x = {T(0), T(-0.0), T(0.5), T(-1), T(3.14159265358979), T(15.1), T(-39), T(1e-30)};
  const int top = std::numeric_limits<T>::max_exponent10 - 1;
  for (int e = -top; e <= top; e += 3)
    for (const double digits : {1.2345678901234567, -7.891234567891234})
      x.push_back(static_cast<T>(static_cast<long double>(digits) * std::pow(10.0L, e)));
  for (int i = 0; i < 500; ++i) x.push_back(static_cast<T>(20 * std::sin(1.7 * i)));
  return x;
}

/// |value - exact| in units of the last place of the exact result.
template <class T>
double ulps(T value, long double exact) {
  const T rounded = static_cast<T>(exact);
  const T next = std::nextafter(std::abs(rounded), std::numeric_limits<T>::infinity());
  return static_cast<double>(std::abs(value - exact) / (static_cast<long double>(next) - std::abs(rounded)));
}

template <class T>
struct VectorMath : ::testing::Test {};
using Scalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(VectorMath, Scalars);

TYPED_TEST(VectorMath, SineAndCosineAreRightForArgumentsOfAnySize) {
  using T = TypeParam;
  const std::vector<T> x = arguments<T>();
  std::vector<T> s(x.size()), c(x.size());
  sincos(x.data(), s.data(), c.data(), Index(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_LE(ulps(s[i], std::sin(static_cast<long double>(x[i]))), 1.01) << "sin " << x[i];
    EXPECT_LE(ulps(c[i], std::cos(static_cast<long double>(x[i]))), 1.01) << "cos " << x[i];
  }
}

TYPED_TEST(VectorMath, ExpAndLogAreRightToTheLastPlace) {
  using T = TypeParam;
  std::vector<T> x, y(2000), l(2000);
  const T top = std::log(std::numeric_limits<T>::max()) * T(0.999);
  for (int i = 0; i < 2000; ++i) x.push_back(top * T(std::sin(0.37 * i)));
  exp(x.data(), y.data(), 2000);
  log(y.data(), l.data(), 2000);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_LE(ulps(y[i], std::exp(static_cast<long double>(x[i]))), 1.01) << "exp " << x[i];
    EXPECT_LE(ulps(l[i], std::log(static_cast<long double>(y[i]))), 1.01) << "log " << y[i];
  }
}

TYPED_TEST(VectorMath, SpecialValuesFollowTheStandardLibrary) {
  using T = TypeParam;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T x[5] = {inf, -inf, nan, T(0), T(-1)};
  T e[5], l[5], s[5], c[5];
  exp(x, e, 5);
  log(x, l, 5);
  sincos(x, s, c, 5);
  EXPECT_EQ(e[0], inf);
  EXPECT_EQ(e[1], T(0));
  EXPECT_TRUE(std::isnan(e[2]));
  EXPECT_EQ(e[3], T(1));
  EXPECT_EQ(l[0], inf);
  EXPECT_TRUE(std::isnan(l[1]) && std::isnan(l[2]) && std::isnan(l[4]));
  EXPECT_EQ(l[3], -inf);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(s[i]) && std::isnan(c[i])) << i;
}

// SLEEF's default entry points fail this for a few entries in a thousand: their range reduction follows the
// largest entry of the register.
TYPED_TEST(VectorMath, AnEntryDoesNotDependOnItsPlaceOrItsNeighbours) {
  using T = TypeParam;
  std::vector<T> x = arguments<T>();
  for (int i = 0; i < 30000; ++i) {
    const double angle = 14.9 * std::sin(1.7 * i);  // small, medium and huge entries share a register
    x.push_back(T(i % 4 == 1 ? 3 * angle : i % 4 == 2 ? 1e17 * angle : angle));
  }
  const Index n = Index(x.size());
  std::vector<T> s(x.size()), c(x.size()), e(x.size()), l(x.size());
  sincos(x.data(), s.data(), c.data(), n);
  exp(x.data(), e.data(), n);
  log(x.data(), l.data(), n);
  const auto same = [](T a, T b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  Index different = 0;
  for (Index i = 0; i < n; ++i) {
    T s1, c1, e1, l1;
    sincos(&x[i], &s1, &c1, 1);
    exp(&x[i], &e1, 1);
    log(&x[i], &l1, 1);
    different += !(s1 == s[i] && c1 == c[i] && same(e1, e[i]) && same(l1, l[i]));
  }
  EXPECT_EQ(different, 0);
}

TYPED_TEST(VectorMath, EveryLengthWorksInPlaceAndWritesNothingBeyond) {
  using T = TypeParam;
  for (Index n = 0; n <= 35; ++n) {
    std::vector<T> x(n + 1, T(99)), s(n + 1, T(7)), c(n + 1, T(7));
    for (Index i = 0; i < n; ++i) x[i] = T(0.3) * T(i) + T(0.1);
    const std::vector<T> original = x;
    sincos(x.data(), s.data(), c.data(), n);
    sincos(x.data(), x.data(), c.data(), n);  // in place
    EXPECT_EQ(std::vector<T>(x.begin(), x.end() - 1), std::vector<T>(s.begin(), s.end() - 1));
    EXPECT_EQ(x[n], T(99));
    EXPECT_EQ(s[n], T(7));
    EXPECT_EQ(c[n], T(7));
    x = original;
    exp(x.data(), x.data(), n);
    log(x.data(), x.data(), n);
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(x[i], original[i], 8 * std::numeric_limits<T>::epsilon() * 10);
    EXPECT_EQ(x[n], T(99));
  }
}

}  // namespace
}  // namespace bochner::vector_math_test
