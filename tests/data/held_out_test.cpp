#include "bochner/data/held_out.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bochner::held_out_test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

Matrix with_missing(Index rows, Index cols, double share, Rng& rng) {
  Matrix Y = rng.normal(rows, cols);
  for (Index i = 0; i < Y.size(); ++i)
    if (rng.uniform() < share) Y.data()[i] = nan;
  return Y;
}

TEST(HeldOut, PicksTheWantedShareOfObservedEntriesOnly) {
  Rng rng(1);
  const Matrix Y = with_missing(60, 30, 0.4, rng);
  const BoolMatrix mask = held_out_mask(Y, 0.05, rng);
  EXPECT_EQ(mask.count(), std::lround(0.05 * double(count_observed(Y))));
  EXPECT_FALSE((mask.array() && Y.array().isNaN()).any());
  EXPECT_EQ(held_out_mask(Y, 0, rng).count(), 0);
}

TEST(HeldOut, LeavesSomethingInEveryRowAndColumn) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed);
    const Index rows = 1 + rng.below(12), cols = 1 + rng.below(12);
    const Matrix Y = with_missing(rows, cols, rng.uniform(), rng);
    const double fraction = rng.uniform();
    const BoolMatrix mask = held_out_mask(Y, fraction, rng);
    const Matrix rest = hide(Y, mask);
    SCOPED_TRACE(seed);
    EXPECT_FALSE((mask.array() && Y.array().isNaN()).any());
    EXPECT_LE(mask.count(), std::lround(fraction * double(count_observed(Y))));
    EXPECT_EQ(count_observed(rest), count_observed(Y) - mask.count());
    for (Index n = 0; n < rows; ++n) EXPECT_EQ(count_observed(rest.row(n)) > 0, count_observed(Y.row(n)) > 0);
    for (Index m = 0; m < cols; ++m) EXPECT_EQ(count_observed(rest.col(m)) > 0, count_observed(Y.col(m)) > 0);
  }
}

TEST(HeldOut, TakesAllItMayWhenMoreIsWanted) {
  Rng rng(7);
  const BoolMatrix mask = held_out_mask(Matrix::Zero(6, 6), 1.0, rng);
  // What is left cannot shed another entry: each is the last of its row or column.
  const BoolMatrix left = !mask.array();
  for (Index n = 0; n < 6; ++n)
    for (Index m = 0; m < 6; ++m)
      if (left(n, m)) {
        EXPECT_TRUE(left.row(n).count() == 1 || left.col(m).count() == 1);
      }
  EXPECT_EQ(held_out_mask(Matrix::Zero(1, 5), 0.9, rng).count(), 0);  // each entry is alone in its column
}

// Away from the guard every entry is equally likely: 6 of 60, so each is picked in a tenth of the draws.
TEST(HeldOut, IsUniformOverEntries) {
  Rng rng(8);
  const int draws = 3000;
  Matrix count = Matrix::Zero(6, 10);
  for (int i = 0; i < draws; ++i) count += held_out_mask(count, 0.1, rng).cast<double>();
  EXPECT_EQ(count.sum(), 6.0 * draws);
  const double z2 = (count.array() / draws - 0.1).square().sum() / (0.1 * 0.9 / draws);
  // The sum of 60 squared z-scores that add to zero is 60/59 of a chi^2 with 59 degrees: mean 60, sd 11.
  EXPECT_NEAR(z2, 60, 4 * 11);
}

TEST(HeldOut, AViewsMaskDependsOnItsNameAlone) {
  Rng rng(9);
  View a = make_view("a", rng.normal(20, 5)), b = make_view("b", rng.normal(20, 5));
  const std::vector<BoolMatrix> both = held_out_masks(join({a, b}), 0.2, rng);
  EXPECT_EQ(both[1], held_out_masks(join({b}), 0.2, rng)[0]);
  EXPECT_NE(both[0], both[1]);
  EXPECT_EQ(both[0].count(), 20);
}

TEST(HeldOut, HideAndHeldOutValuesAreComplements) {
  Matrix Y(2, 2);
  Y << 1, 2, 3, nan;
  BoolMatrix mask(2, 2);
  mask << true, false, false, false;
  const Matrix seen = hide(Y, mask), truth = held_out_values(Y, mask);
  EXPECT_TRUE(std::isnan(seen(0, 0)) && std::isnan(seen(1, 1)));
  EXPECT_EQ(seen(0, 1), 2);
  EXPECT_EQ(truth(0, 0), 1);
  EXPECT_EQ(count_observed(truth), 1);
  const Dataset data = hide(join({make_view("a", Y)}), {mask});
  EXPECT_EQ(data.observed(0), 2);
  EXPECT_THROW(hide(Y, BoolMatrix(2, 3)), std::invalid_argument);
  EXPECT_THROW(hide(data, std::vector<BoolMatrix>{}), std::invalid_argument);
}

TEST(HeldOut, OneRuleForASeed) {
  const Dataset data = join({make_view("a", Rng(1).normal(20, 5)), make_view("b", Rng(2).normal(20, 3))});
  const std::vector<BoolMatrix> masks = held_out_masks(data, 0.2, 7),
                                same = held_out_masks(data, 0.2, Rng(7).split("holdout"));
  EXPECT_EQ(count_held_out(masks), 20 + 12);
  for (std::size_t v = 0; v < 2; ++v) EXPECT_TRUE((masks[v].array() == same[v].array()).all());
  EXPECT_EQ(count_held_out({}), 0);
  // One sample has nothing to spare for a fit, but a fitted model can be scored by it.
  Matrix one(1, 3);
  one << nan, 1, 2;
  const Dataset sample = join({make_view("a", one)});
  EXPECT_EQ(count_held_out(held_out_masks(sample, 0.5, 1)), 0);
  const std::vector<BoolMatrix> some = held_out_of_new(sample, 0.5, 1);
  EXPECT_EQ(count_held_out(some), 1);
  EXPECT_TRUE(some[0](0, 1));
  EXPECT_EQ(count_held_out(held_out_of_new(data, 0.2, 7)), count_held_out(masks));
}

}  // namespace
}  // namespace bochner::held_out_test
