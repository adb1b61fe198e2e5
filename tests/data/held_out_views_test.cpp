#include "bochner/data/held_out_views.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/data/held_out.hpp"

namespace bochner::held_out_views_test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

/// Views a (4 columns), b (3) and c (2) of N samples. A sample lacks each view with probability `lacks`, but not all of them;
/// entries are missing with probability `missing`, at least one stays in a row that there is.
Dataset three_views(Index N, double lacks, double missing, Rng rng) {
  std::vector<View> views;
  for (const auto& [name, columns] : {std::pair{"a", 4}, {"b", 3}, {"c", 2}})
    views.push_back(make_view(name, rng.normal(N, columns)));
  for (Index n = 0; n < N; ++n) {
    const Index kept = rng.below(3);
    for (Index v = 0; v < 3; ++v) {
      auto row = views[static_cast<std::size_t>(v)].Y.row(n);
      const Index left = rng.below(row.size());
      for (Index m = 0; m < row.size(); ++m)
        if (m != left && rng.uniform() < missing) row(m) = nan;
      if (v != kept && rng.uniform() < lacks) row.setConstant(nan);
    }
  }
  return join(views);
}

/// Whether sample n has an entry in view v that the mask leaves.
bool shows(const Dataset& data, Index v, Index n, const BoolMatrix& mask) {
  const auto y = data.view(v).Y.row(n).array();
  return (!y.isNaN() && !mask.row(n).array()).any();
}
bool shows(const Dataset& data, Index v, Index n) {
  return shows(data, v, n, BoolMatrix::Constant(data.rows(), data.view(v).cols(), false));
}

/// Samples that have an entry of the view and of another one.
Index able(const Dataset& data, Index v) {
  Index count = 0;
  for (Index n = 0; n < data.rows(); ++n) {
    Index views = 0;
    for (Index w = 0; w < data.view_count(); ++w) views += shows(data, w, n);
    count += shows(data, v, n) && views > 1;
  }
  return count;
}

Index rows_picked(const BoolMatrix& mask) { return mask.rowwise().any().count(); }

TEST(HeldOutViews, PicksTheWantedShareOfTheSamplesOfEveryView) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Dataset data = three_views(90, 0.3, 0.3, Rng(seed));
    for (const double fraction : {0.03, 0.1, 0.25}) {
      const std::vector<BoolMatrix> masks = held_out_view_masks(data, fraction, seed);
      ASSERT_EQ(masks.size(), 3u);
      for (Index v = 0; v < 3; ++v) {
        const BoolMatrix& mask = masks[static_cast<std::size_t>(v)];
        EXPECT_EQ(rows_picked(mask), std::lround(fraction * double(able(data, v)))) << seed << " view " << v;
        EXPECT_LT(able(data, v), 90) << "some samples must lack something, or the share is not tested";
      }
    }
  }
}

TEST(HeldOutViews, AtMostFiveHundredSamplesOfAView) {
  const Dataset data = three_views(3000, 0, 0, Rng(1));
  for (const BoolMatrix& mask : held_out_view_masks(data, 0.3, 1)) EXPECT_EQ(rows_picked(mask), 500);
  for (const BoolMatrix& mask : held_out_view_masks(data, 0.1, 1)) EXPECT_EQ(rows_picked(mask), 300);
}

TEST(HeldOutViews, HidesWholeRowsAndOneViewOfASampleAtMost) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    const Dataset data = three_views(5 + rng.below(60), rng.uniform(), 0.5 * rng.uniform(), rng);
    const std::vector<BoolMatrix> masks = held_out_view_masks(data, rng.uniform(), seed);
    SCOPED_TRACE(seed);
    for (Index n = 0; n < data.rows(); ++n) {
      Index lent = 0, shown = 0;
      for (Index v = 0; v < 3; ++v) {
        const BoolMatrix& mask = masks[static_cast<std::size_t>(v)];
        shown += shows(data, v, n, mask);
        if (!mask.row(n).any()) continue;
        ++lent;
        EXPECT_TRUE((mask.row(n).array() == !data.view(v).Y.row(n).array().isNaN()).all()) << n;
      }
      EXPECT_LE(lent, 1) << "sample " << n;
      EXPECT_GE(shown, 1) << "sample " << n << " has nothing left";
    }
    for (Index v = 0; v < 3; ++v) {
      const Matrix left = hide(data.view(v).Y, masks[static_cast<std::size_t>(v)]);
      for (Index m = 0; m < left.cols(); ++m)
        EXPECT_EQ(count_observed(left.col(m)) > 0, count_observed(data.view(v).Y.col(m)) > 0) << m;
    }
  }
}

// Column b_2 was measured in samples 0 and 1 alone: one of them must keep it, and here every sample is asked for.
TEST(HeldOutViews, NoColumnLosesItsLastEntry) {
  Matrix b = Rng(2).normal(12, 3);
  b.col(2).tail(10).setConstant(nan);
  const Dataset data = join({make_view("a", Rng(1).normal(12, 2)), make_view("b", b)});
  bool some = false;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::vector<BoolMatrix> masks = held_out_view_masks(data, 0.5, seed);
    for (Index v = 0; v < 2; ++v)
      EXPECT_GT((!hide(data.view(v).Y, masks[std::size_t(v)]).array().isNaN()).colwise().count().minCoeff(),
                0);
    some = some || masks[1].col(2).any();
  }
  EXPECT_TRUE(some) << "the rule must not be kept by leaving these samples alone";
}

TEST(HeldOutViews, SamplesWithASingleViewAreNeverChosen) {
  Matrix a = Rng(1).normal(20, 2), b = Rng(2).normal(20, 2);
  a.topRows(7).setConstant(nan);
  b.bottomRows(7).setConstant(nan);
  const Dataset data = join({make_view("a", a), make_view("b", b)});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const std::vector<BoolMatrix> masks = held_out_view_masks(data, 1, seed);
    for (const BoolMatrix& mask : masks) {
      EXPECT_FALSE(mask.topRows(7).any() || mask.bottomRows(7).any());
      EXPECT_LE(rows_picked(mask), 6);
    }
    EXPECT_EQ(rows_picked(masks[0]) + rows_picked(masks[1]), 6);  // every other sample lends one
  }
}

TEST(HeldOutViews, NothingOfASingleView) {
  const Dataset one = join({make_view("a", Rng(1).normal(40, 5))});
  EXPECT_EQ(count_held_out(held_out_view_masks(one, 0.5, 1)), 0);
  EXPECT_EQ(held_out_view_masks(one, 0.5, 1)[0].rows(), 40);
  const std::vector<BoolMatrix> both = held_out_entries_and_views(one, 0.2, 7);
  EXPECT_EQ(both[0], held_out_masks(one, 0.2, 7)[0]) << "entries as ever";
  EXPECT_EQ(count_held_out(held_out_view_masks(three_views(40, 0, 0, Rng(1)), 0, 1)), 0);
  EXPECT_THROW(held_out_view_masks(one, 1.5, 1), std::domain_error);
}

TEST(HeldOutViews, AreAFunctionOfTheSeed) {
  const Dataset data = three_views(80, 0.2, 0.2, Rng(3));
  for (const auto pick : {+held_out_view_masks, +[](const Dataset&d, double f, std::uint64_t seed) {
                            return held_out_entries_and_views(d, f, seed);
                          }}) {
    EXPECT_EQ(pick(data, 0.1, 5), pick(data, 0.1, 5));
    const std::vector<BoolMatrix> first = pick(data, 0.1, 5), other = pick(data, 0.1, 6);
    for (std::size_t v = 0; v < 3; ++v) EXPECT_NE(first[v], other[v]);
  }
}

TEST(HeldOutEntriesAndViews, LeaveSomethingOfEverySampleAndColumn) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    const Dataset data = three_views(8 + rng.below(60), 0.6 * rng.uniform(), 0.5 * rng.uniform(), rng);
    const std::vector<BoolMatrix> masks = held_out_entries_and_views(data, 0.5 * rng.uniform(), seed);
    SCOPED_TRACE(seed);
    const Dataset seen = hide(data, masks);
    EXPECT_EQ(seen.observed() + count_held_out(masks), data.observed()) << "only measured entries are picked";
    EXPECT_EQ(seen.empty_rows(), data.empty_rows());
    for (Index v = 0; v < 3; ++v)
      EXPECT_EQ((!seen.view(v).Y.array().isNaN()).colwise().any().count(),
                (!data.view(v).Y.array().isNaN()).colwise().any().count());
  }
}

TEST(SplitHeldOut, GivesBackBothParts) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Dataset data = three_views(60, 0.2, 0.3, Rng(seed));
    const std::vector<BoolMatrix> masks = held_out_entries_and_views(data, 0.15, seed),
                                  views = held_out_view_masks(data, 0.15, seed),
                                  entries = held_out_masks(hide(data, views), 0.15, seed);
    const HeldOutParts parts = split_held_out(data, masks);
    EXPECT_GT(count_held_out(parts.entries), 0);
    EXPECT_GT(count_held_out(parts.views), 0);
    const std::vector<VectorT<bool>> hidden = hidden_views(data, masks);
    for (std::size_t v = 0; v < 3; ++v) {
      EXPECT_EQ(parts.views[v], views[v]) << seed;
      EXPECT_EQ(parts.entries[v], entries[v]) << seed;
      EXPECT_FALSE((parts.entries[v].array() && parts.views[v].array()).any());
      EXPECT_TRUE(((parts.entries[v].array() || parts.views[v].array()) == masks[v].array()).all());
      for (Index n = 0; n < 60; ++n) {
        EXPECT_EQ(hidden[v](n), views[v].row(n).any());
        if (parts.entries[v].row(n).any()) {  // a row that lends entries keeps some
          EXPECT_TRUE(shows(data, Index(v), n, parts.entries[v])) << seed << " row " << n;
        }
      }
    }
  }
}
// A sample whose last entry anywhere is picked has no view to be predicted from: its entries are single ones.
TEST(SplitHeldOut, AViewCountsAsHiddenOnlyIfAnotherOneShows) {
  Matrix a(2, 2), b(2, 1);
  a << 1, 2, 3, nan;
  b << nan, 5;
  const Dataset data = join({make_view("a", a), make_view("b", b)});
  std::vector<BoolMatrix> masks{BoolMatrix::Constant(2, 2, false), BoolMatrix::Constant(2, 1, false)};
  masks[0] << true, true, true, false;  // all that is measured of both samples
  const std::vector<VectorT<bool>> hidden = hidden_views(data, masks);
  EXPECT_FALSE(hidden[0](0)) << "it has no other view";
  EXPECT_TRUE(hidden[0](1));
  EXPECT_FALSE(hidden[1].any()) << "nothing was picked, or measured, there";
  const HeldOutParts parts = split_held_out(data, masks);
  EXPECT_EQ(count_held_out(parts.entries), 2);
  EXPECT_EQ(count_held_out(parts.views), 1);
  EXPECT_THROW(hidden_views(data, {}), std::invalid_argument);
}

TEST(HeldOutEntriesAndViews, HidesNoSingleEntriesOfAViewThatIsWhole) {
  const Dataset data = three_views(120, 0.1, 0.05, Rng(5));
  const HeldOutParts parts = split_held_out(data, held_out_entries_and_views(data, 0.1, 3, "b"));
  EXPECT_EQ(parts.entries[1].count(), 0);
  EXPECT_GT(parts.views[1].count(), 0);
  const std::vector<BoolMatrix> other = held_out_entries_and_views(data, 0.1, 3);
  EXPECT_EQ(held_out_entries_and_views(data, 0.1, 3, "b")[0], other[0]);
}

}  // namespace
}  // namespace bochner::held_out_views_test
