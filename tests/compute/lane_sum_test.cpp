#include "bochner/compute/lane_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bochner/random/rng.hpp"

namespace bochner::lane_sum_test {
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

/// The twin: the sum of x[first .. first + count - 1] in a tree whose left half is the largest power of two below count.
double slow_tree(const Vector& x, Index first, Index count) {
  if (count == 1) return x(first);
  Index left = 1;
  while (2 * left < count) left *= 2;
  return slow_tree(x, first, left) + slow_tree(x, first + left, count - left);
}

/// Numbers of very different size and both signs: any other order of additions changes the last bits.
Vector uneven(Index n, std::uint64_t seed) {
  Vector x = Rng(seed).normal(n);
  for (double& v : x) v = std::exp(8 * std::abs(v)) * (v > 0 ? 1 : -1);
  return x;
}

TEST(LaneSum, ByHand) {
  LaneSum<double> sum(4, 0);
  const double values[] = {1e16, 1, -1e16, 1};  // 1e16 + 1 is rounded to 1e16
  for (Index lane = 0; lane < 4; ++lane) sum[lane] += values[lane];
  EXPECT_EQ(sum.total(Threads(1)), 0);  // (1e16 + 1) + (-1e16 + 1); one after the other it would be 1
}

// One row a lane. Beyond 16 lanes several of them share a strand, and the order must be the same. 5000 numbers are several
// pieces of an ArrayTree.
TEST(LaneSum, IsTheTreeForAnyNumberOfLanesAndThreads) {
  Index other_order = 0;
  for (Index lanes = 1; lanes <= 64; ++lanes) {
    const Vector x = uneven(lanes, std::uint64_t(lanes));
    const Vector scale = Rng(1).normal(5000);
    const double want = slow_tree(x, 0, lanes);
    Matrix want_all(50, 100);
    for (Index i = 0; i < scale.size(); ++i) want_all.data()[i] = slow_tree(scale(i) * x, 0, lanes);
    double forward = 0;
    for (const double v : x) forward += v;
    other_order += forward != want;
    const RowPlan plan{.rows = lanes, .block = 1, .lanes = lanes};
    EXPECT_LE(plan.strands(), 16);
    for (const int count : {1, 2, 7}) {
      const Threads threads(count);
      EXPECT_EQ(sum_over_rows<double>(threads, plan, 0, [&](double& sum, Index n, Index) { sum += x(n); }),
                want);
      EXPECT_EQ(
          sum_over_rows<Pair>(threads, plan, {}, [&](Pair& sum, Index n, Index) { sum.sum += x(n); }).sum,
          want);
      const Matrix all = sum_over_rows<Matrix>(
          threads, plan, Matrix::Zero(50, 100),
          [&](Matrix& sum, Index n, Index) { Eigen::Map<Vector>(sum.data(), sum.size()) += scale * x(n); });
      EXPECT_EQ(all, want_all) << lanes << " lanes, " << count << " threads";
    }
  }
  EXPECT_GT(other_order, 40) << "the test needs sums that depend on their order";
}

/// Counts how many of it there are.
struct Counting {
  static inline Index alive = 0, most = 0;
  Counting() { most = std::max(most, ++alive); }
  Counting(const Counting&) : Counting() {}
  Counting(Counting&&) noexcept : Counting() {}
  Counting& operator=(const Counting&) = default;
  Counting& operator=(Counting&&) = default;
  ~Counting() { --alive; }
  Counting& operator+=(const Counting&) { return *this; }
};

TEST(LaneSum, HoldsNoMoreThanThePlanSays) {
  const RowPlan plan{.rows = 4096, .block = 1, .lanes = 4096};
  EXPECT_EQ(plan.accumulators(), 16 * 9);
  const Counting zero;
  sum_over_rows<Counting>(Threads(1), plan, zero, [](Counting&, Index, Index) {});
  EXPECT_LT(Counting::most, 2 * plan.accumulators());  // temporaries and spare room of vectors; not 4096
}

// A second round over the same lanes is a sum of its own where a strand has several lanes, and goes on in the same
// accumulators where it has one.
TEST(LaneSum, LanesMayComeAgain) {
  for (const Index lanes : {8, 64}) {
    const Vector x = uneven(lanes, 5), y = uneven(lanes, 6);
    LaneSum<double> sum(lanes, 0);
    for (Index lane = 0; lane < lanes; ++lane) sum[lane] += x(lane);
    for (Index lane = 0; lane < lanes; ++lane) sum[lane] += y(lane);
    const double total = sum.total(Threads(1)), size = x.cwiseAbs().sum() + y.cwiseAbs().sum();
    EXPECT_NEAR(total, x.sum() + y.sum(), 1e-14 * size);
  }
}

}  // namespace
}  // namespace bochner::lane_sum_test
