#include "bochner/core/checks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace bochner::checks_test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

template <class Error, class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Checks, PositiveRefusesZeroNegativeInfiniteAndNan) {
  EXPECT_NO_THROW(check_positive("f", "x", 5e-324));
  for (const double bad : {0.0, -0.0, -1.0, inf, -inf, nan})
    EXPECT_THROW(check_positive("f", "x", bad), std::domain_error) << bad;
}

TEST(Checks, NonNegativeAllowsZero) {
  EXPECT_NO_THROW(check_non_negative("f", "x", 0));
  for (const double bad : {-1e-300, inf, nan})
    EXPECT_THROW(check_non_negative("f", "x", bad), std::domain_error) << bad;
}

TEST(Checks, Finite) {
  EXPECT_NO_THROW(check_finite("f", "x", -1e308));
  for (const double bad : {inf, -inf, nan})
    EXPECT_THROW(check_finite("f", "x", bad), std::domain_error) << bad;
}

TEST(Checks, BetweenIncludesItsEnds) {
  EXPECT_NO_THROW(check_between("f", "x", 0, 0, 1));
  EXPECT_NO_THROW(check_between("f", "x", 1, 0, 1));
  for (const double bad : {-1e-9, 1.0001, inf, nan})
    EXPECT_THROW(check_between("f", "x", bad, 0, 1), std::domain_error) << bad;
}

TEST(Checks, MessagesNameFunctionArgumentValueAndRule) {
  EXPECT_EQ(message_of<std::domain_error>([] { check_positive("Rbf", "sigma2", -2); }),
            "Rbf: sigma2 is -2, but must be positive and finite");
  EXPECT_EQ(message_of<std::domain_error>([] { check_between("split", "fraction", 1.5, 0, 1); }),
            "split: fraction is 1.5, but must be between 0 and 1");
  EXPECT_EQ(message_of<std::invalid_argument>([] { check_at_least("fit", "dims", 0, 1); }),
            "fit: dims is 0, but must be at least 1");
  EXPECT_EQ(
      message_of<std::invalid_argument>([] { check_size("gram", "columns of Z", 3, "columns of X", 2); }),
      "gram: columns of Z is 3, but must equal columns of X, 2");
}

TEST(Checks, ArraysNameTheOffendingEntry) {
  const Vector ell{{1, 0.5, -3}};
  EXPECT_EQ(message_of<std::domain_error>([&] { check_positive("Rbf", "ell", ell); }),
            "Rbf: ell(2) is -3, but must be positive and finite");
  Matrix X = Matrix::Ones(3, 2);
  EXPECT_NO_THROW(check_finite("gram", "X", X));
  X(2, 1) = inf;
  EXPECT_EQ(message_of<std::domain_error>([&] { check_finite("gram", "X", X); }),
            "gram: X(2, 1) is inf, but must be finite");
  EXPECT_NO_THROW(check_finite("gram", "X", X.topRows(2)));
  EXPECT_NO_THROW(check_finite("gram", "X", Matrix(0, 2)));
}

TEST(Checks, SizesThatAgreePass) {
  EXPECT_NO_THROW(check_size("f", "rows of X", 4, "rows of Y", 4));
  EXPECT_NO_THROW(check_at_least("f", "n", 1, 1));
}

}  // namespace
}  // namespace bochner::checks_test
