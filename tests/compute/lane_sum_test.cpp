#include "bochner/compute/lane_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/random/rng.hpp"

namespace bochner {
namespace {

struct Pair {
  double sum = 0;
  Index count = 0;

  Pair& operator+=(const Pair& other) {
    sum += other.sum;
    count += other.count;
    return *this;
  }
};

TEST(LaneSum, CoversAllRowsOnce) {
  for (const Index rows : {0, 1, 63, 64, 65, 1000, 5000}) {
    const Pair total =
        sum_over_rows<Pair>(Threads(3), RowPlan::make(rows, 64), {}, [](Pair& lane, Index begin, Index size) {
          for (Index i = begin; i < begin + size; ++i) lane.sum += double(i);
          lane.count += size;
        });
    EXPECT_EQ(total.count, rows);
    EXPECT_EQ(total.sum, double(rows) * double(rows - 1) / 2);
  }
}

TEST(LaneSum, StartsFromZeroInEachLane) {
  const Matrix zero = Matrix::Constant(2, 3, 1);  // a "zero" that counts lanes
  const RowPlan plan = RowPlan::make(1000, 64);
  const Matrix total = sum_over_rows<Matrix>(Threads(2), plan, zero, [](Matrix&, Index, Index) {});
  EXPECT_EQ(total, Matrix::Constant(2, 3, double(plan.lanes)));
}

}  // namespace
}  // namespace bochner
