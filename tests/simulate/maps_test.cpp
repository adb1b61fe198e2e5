#include "bochner/simulate/maps.hpp"

#include <gtest/gtest.h>

namespace bochner::maps_test {
namespace {

// Reference values: the formulas of the header in numpy.
TEST(Maps, HaveTheConstantsOfThePapers) {
  const Vector x{{1, 0.2}}, y{{0.5, -1}};
  EXPECT_NEAR(evaluate(rbf_map(), x, y), 0.42955735821073915, 1e-15);
  EXPECT_NEAR(evaluate(rbf_periodic_map(), x, y), 0.3459001402935422, 1e-15);
  EXPECT_NEAR(evaluate(gibbs_map(), x, y), 0.08551406068971935, 1e-15);
  for (const AnyKernel& map : {rbf_map(), rbf_periodic_map(), gibbs_map()})
    EXPECT_NEAR(evaluate(map, x, x), 1, 1e-15);  // unit variance, all three
}

TEST(Maps, PeriodIsFourAndAHalf) {
  const Vector x{{1, 0.2}}, back{{1 + 4.5, 0.2 - 9}};
  const Sum map = std::get<Sum>(rbf_periodic_map());
  EXPECT_NEAR(evaluate(map.terms.at(1), x, back), 0.5, 1e-15);
}

TEST(Maps, TakeOtherDimensions) {
  EXPECT_EQ(input_dims(rbf_map(5)), 5);
  EXPECT_EQ(input_dims(rbf_periodic_map(3)), 3);
  EXPECT_THROW(rbf_map(0), std::exception);
}

}  // namespace
}  // namespace bochner::maps_test
