#include "bochner/models/latent/relevance.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::relevance_test {
namespace {

TEST(Relevance, IsWhatIsLostOfTheWhole) {
  // Two columns and two dimensions: 10 and 30 to explain, of which 4 and 15 are left, and more without a dimension.
  const ColumnErrors first{Vector{{10, 30}}, Vector{{4, 15}}, Matrix{{7, 4}, {15, 60}}};
  const ColumnErrors second{Vector{{0, 8}}, Vector{{0, 10}}, Matrix{{0, 0}, {9, 12}}};
  const Relevance r = relevance_of({first, second});
  EXPECT_NEAR(r.explained(0), 21 / 40.0, 1e-15);
  EXPECT_NEAR(r.by_view(0, 0), 3 / 40.0, 1e-15);
  EXPECT_NEAR(r.by_view(0, 1), 21 / 40.0, 1e-15);  // 45 / 40 is lost, but no more than was explained
  EXPECT_NEAR(r.by_column[0](0, 0), 0.3, 1e-15);
  EXPECT_EQ(r.by_column[0](0, 1), 0);
  EXPECT_EQ(r.by_column[0](1, 0), 0);
  EXPECT_NEAR(r.by_column[0](1, 1), 0.5, 1e-15);
  EXPECT_NEAR(r.explained(1), -0.25, 1e-15);  // worse than the mean ..
  EXPECT_EQ(r.by_column[1],
            Matrix::Zero(2, 2));  // .. has nothing to lose, nor has a column that does not vary
}

TEST(Relevance, TopColumnsNeedNoLoadings) {
  const Relevance r{Matrix::Zero(1, 2), {Matrix{{0.2, 0}, {0.0005, 0.1}, {0.3, 0}}}, Vector::Zero(1)};
  const std::vector<TopColumn> top = top_columns(r, {}, 0, 5);
  ASSERT_EQ(top.size(), 2U);
  EXPECT_EQ(top[0].column, 2);
  EXPECT_EQ(top[1].column, 0);
  EXPECT_EQ(top[1].loading, 0);
}

TEST(Relevance, ErrorsAreThoseOfMeasuredEntries) {
  const Matrix Y{{1, std::nan("")}, {2, 5}}, F{{0, 9}, {4, 2}};
  EXPECT_EQ(squared_errors(Y, F), (Vector{{5, 9}}));
}

}  // namespace
}  // namespace bochner::relevance_test
