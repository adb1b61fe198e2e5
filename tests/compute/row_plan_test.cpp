#include "bochner/compute/row_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bochner/random/rng.hpp"

namespace bochner::row_plan_test {
namespace {

const int counts[] = {1, 2, 7};

TEST(RowPlan, BlocksCoverTheRowsInOrderAndLanesDependOnSizeOnly) {
  for (const int count : counts)
    for (const Index rows : {0, 1, 255, 256, 257, 5000}) {
      const RowPlan plan = RowPlan::make(rows, 256, 4);
      EXPECT_EQ(plan.lanes, std::max<Index>(1, std::min<Index>(4, (rows + 255) / 256)));
      std::vector<std::vector<Index>> begins(plan.lanes);
      std::vector<std::atomic<int>> seen(rows);
      for_each_block(Threads(count), plan, [&](Index lane, Index begin, Index size) {
        begins[lane].push_back(begin);
        for (Index i = begin; i < begin + size; ++i) ++seen[i];
      });
      for (const auto& n : seen) EXPECT_EQ(n, 1);
      Index next = 0;
      for (const auto& lane : begins)
        for (const Index begin : lane) {
          EXPECT_EQ(begin, next);  // lanes hold neighbouring blocks, in order
          next += 256;
        }
    }
}

TEST(RowPlan, LanesAreAPowerOfTwoByTheNumberOfRows) {
  const Index million = Index{1} << 20;
  const std::pair<Index, Index> lanes_of[] = {{0, 1},
                                              {256, 1},
                                              {257, 2},
                                              {768, 2},
                                              {769, 4},
                                              {15 * 256, 8},
                                              {16 * 256, 16},
                                              {million - 1, 16},
                                              {million, 16},
                                              {2 * million - 1, 16},
                                              {2 * million, 32},
                                              {3 * million, 32},
                                              {256 * million, 4096},
                                              {1000 * million, 4096}};
  for (const auto& [rows, lanes] : lanes_of) {
    const RowPlan plan = RowPlan::make(rows);
    EXPECT_EQ(plan.lanes, lanes) << rows;
    EXPECT_EQ(plan.strands(), std::min<Index>(16, lanes));
    EXPECT_EQ(plan.strand_of(lanes - 1), plan.strands() - 1);
  }
  EXPECT_EQ(RowPlan::make(5000, 16, 7).lanes, 4);
  EXPECT_EQ(RowPlan::make(10 * million, 256, 8).lanes, 8);
}

// 40 lanes in strands of four: a strand stays on its thread and goes through its lanes and blocks in order.
TEST(RowPlan, StrandsRunInOrder) {
  const RowPlan plan{.rows = 1003, .block = 4, .lanes = 40};
  ASSERT_EQ(plan.strands(), 10);
  for (const int count : counts) {
    std::vector<std::vector<std::pair<Index, Index>>> calls(10);
    for_each_block(Threads(count), plan, [&](Index lane, Index begin, Index size) {
      EXPECT_EQ(size, std::min<Index>(4, 1003 - begin));
      calls[plan.strand_of(lane)].push_back({lane, begin});
    });
    Index next = 0, last = 0;
    for (const auto& strand : calls)
      for (const auto& [lane, begin] : strand) {
        EXPECT_EQ(begin, next);
        EXPECT_TRUE(lane == last || lane == last + 1);
        next += 4;
        last = lane;
      }
    EXPECT_EQ(last, 39);
  }
}

TEST(RowPlan, IndependentBlocksCoverTheRows) {
  for (const int count : counts)
    for (const Index rows : {0, 1, 99, 100, 1234}) {
      std::vector<std::atomic<int>> seen(rows);
      for_each_block(Threads(count), rows, 100, [&](Index begin, Index size) {
        EXPECT_LE(size, 100);
        for (Index i = begin; i < begin + size; ++i) ++seen[i];
      });
      for (const auto& n : seen) EXPECT_EQ(n, 1);
    }
}

// Sums of numbers of very different size: any other order of additions changes the last bits.
TEST(RowPlan, ReductionsHaveTheSameBytesForAnyThreadCount) {
  const Index rows = 20'000;
  Rng rng(1);
  Vector x = rng.normal(rows);
  for (double& v : x) v = std::exp(8 * v) * (v > 0 ? 1 : -1);
  const auto sum = [&](int count) {
    const RowPlan plan = RowPlan::make(rows, 64);
    Vector lanes = Vector::Zero(plan.lanes);
    for_each_block(Threads(count), plan, [&](Index lane, Index begin, Index size) {
      for (Index i = begin; i < begin + size; ++i) lanes(lane) += x(i);
    });
    double total = 0;
    for (const double lane : lanes) total += lane;
    return total;
  };
  const double one = sum(1);
  double forward = 0, backward = 0;
  for (Index i = 0; i < rows; ++i) {
    forward += x(i);
    backward += x(rows - 1 - i);
  }
  EXPECT_NE(forward, backward) << "the test needs a sum that depends on its order";
  for (int repeat = 0; repeat < 20; ++repeat) {
    EXPECT_EQ(one, sum(2));
    EXPECT_EQ(one, sum(7));
  }
}

TEST(RowPlan, WrongArgumentsThrow) {
  EXPECT_THROW(RowPlan::make(10, 0), std::invalid_argument);
  EXPECT_THROW(RowPlan::make(10, 4, 0), std::invalid_argument);
  EXPECT_THROW(for_each_block(Threads(1), 10, 0, [](Index, Index) {}), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::row_plan_test
