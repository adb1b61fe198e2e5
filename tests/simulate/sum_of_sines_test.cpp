#include "bochner/simulate/sum_of_sines.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::sum_of_sines_test {
namespace {

TEST(SumOfSines, HasTheFormulaAndTheLengthOfTheAuthorsProgram) {
  const Series s = sum_of_sines();
  ASSERT_EQ(s.y.size(), 500);  // numpy.arange(0, 5, 0.01)
  EXPECT_EQ(s.t(0), 0);
  EXPECT_NEAR(s.t(499), 4.99, 1e-12);
  for (const Index n : {0, 1, 7, 133, 499}) {
    const double t = 0.01 * static_cast<double>(n);
    EXPECT_NEAR(s.y(n), std::sin(2 * pi * t) + 0.2 * std::sin(40 * pi * t), 1e-12) << n;
  }
  EXPECT_NEAR(s.y(1), 0.062790519529313374 + 0.2 * 0.95105651629515353,
              1e-14);              // sin 3.6 degrees, sin 72 degrees
  EXPECT_NEAR(s.y(25), 1, 1e-12);  // both sines at a multiple of pi / 2
}

TEST(SumOfSines, RefusesUnequalLengths) {
  EXPECT_THROW(sum_of_sines({.frequency = Vector::Ones(3)}), std::invalid_argument);
  EXPECT_THROW(sum_of_sines({.step = 0}), std::domain_error);
}

}  // namespace
}  // namespace bochner::sum_of_sines_test
