#include "bochner/data/splits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace bochner::splits_test {
namespace {

void expect_partition(const Split& split, Index rows) {
  std::vector<Index> all(split.train.begin(), split.train.end());
  EXPECT_TRUE(std::is_sorted(split.train.begin(), split.train.end()));
  EXPECT_TRUE(std::is_sorted(split.test.begin(), split.test.end()));
  all.insert(all.end(), split.test.begin(), split.test.end());
  std::sort(all.begin(), all.end());
  ASSERT_EQ(static_cast<Index>(all.size()), rows);
  for (Index n = 0; n < rows; ++n) EXPECT_EQ(all[n], n);
}

IndexVector fold_sizes(const IndexVector& fold_of_row, Index folds) {
  IndexVector sizes = IndexVector::Zero(folds);
  for (const Index f : fold_of_row) ++sizes(f);
  return sizes;
}

TEST(Splits, TrainTestSizes) {
  Rng rng(1);
  for (const auto& [rows, fraction, tests] :
       std::vector<std::tuple<Index, double, Index>>{{10, 0.2, 2},
                                                     {10, 0.25, 3},
                                                     {7, 0.5, 4},
                                                     {5, 0.0, 1},
                                                     {5, 1.0, 4},
                                                     {2, 0.9, 1},
                                                     {1000, 0.05, 50}}) {
    const Split split = train_test_split(rows, fraction, rng);
    EXPECT_EQ(split.test.size(), tests) << rows << " " << fraction;
    expect_partition(split, rows);
  }
  EXPECT_THROW(train_test_split(1, 0.5, rng), std::invalid_argument);
  EXPECT_THROW(train_test_split(5, 1.5, rng), std::domain_error);
}

// Each of 8 rows is tested in a share 3/8 of the draws; the count is binomial.
TEST(Splits, EveryRowIsTestedEquallyOften) {
  Rng rng(2);
  const int draws = 4000;
  Vector count = Vector::Zero(8);
  for (int i = 0; i < draws; ++i)
    for (const Index n : train_test_split(8, 0.375, rng).test) ++count(n);
  const double p = 3.0 / 8, se = std::sqrt(draws * p * (1 - p));
  for (Index n = 0; n < 8; ++n) EXPECT_NEAR(count(n), draws * p, 4 * se) << n;
}

TEST(Splits, SameStreamSameSplit) {
  Rng a(3), b(3), c(4);
  EXPECT_EQ(k_fold(50, 5, a), k_fold(50, 5, b));
  EXPECT_NE(k_fold(50, 5, a), k_fold(50, 5, c));
}

TEST(Splits, FoldsAreEvenAndShuffled) {
  for (Index rows = 2; rows < 40; ++rows)
    for (Index folds = 2; folds <= std::min<Index>(rows, 7); ++folds) {
      Rng rng(static_cast<std::uint64_t>(rows * 100 + folds));
      const IndexVector sizes = fold_sizes(k_fold(rows, folds, rng), folds);
      EXPECT_EQ(sizes.sum(), rows);
      EXPECT_LE(sizes.maxCoeff() - sizes.minCoeff(), 1);
    }
  Rng rng(5);
  const IndexVector folds = k_fold(20, 5, rng);
  EXPECT_FALSE(std::is_sorted(folds.begin(), folds.end()));
  EXPECT_THROW(k_fold(3, 4, rng), std::invalid_argument);
  EXPECT_THROW(k_fold(3, 1, rng), std::invalid_argument);
}

// 0 and 9 of 10 rows share a fold of 5 x 2 with probability 1/9, and the larger folds of 7 = 3 + 2 + 2 are
// any.
TEST(Splits, FoldsAreUniform) {
  Rng rng(6);
  const int draws = 5000;
  double together = 0;
  Vector larger = Vector::Zero(3);
  for (int i = 0; i < draws; ++i) {
    const IndexVector folds = k_fold(10, 5, rng);
    together += folds(0) == folds(9);
    Index largest;
    fold_sizes(k_fold(7, 3, rng), 3).maxCoeff(&largest);
    ++larger(largest);
  }
  EXPECT_NEAR(together / draws, 1.0 / 9, 4 * std::sqrt(1.0 / 9 * 8 / 9 / draws));
  for (const double count : larger) EXPECT_NEAR(count / draws, 1.0 / 3, 4 * std::sqrt(2.0 / 9 / draws));
}

TEST(Splits, StrataAreEven) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    const Index rows = 5 + rng.below(100), kinds = 1 + rng.below(8), folds = 2 + rng.below(4);
    IndexVector labels(rows);
    for (Index& label : labels) label = 7 * rng.below(kinds) - 10;
    const IndexVector fold_of_row = stratified_k_fold(labels, folds, rng);
    const IndexVector sizes = fold_sizes(fold_of_row, folds);
    EXPECT_LE(sizes.maxCoeff() - sizes.minCoeff(), 1);
    std::map<Index, IndexVector> counts;
    for (Index n = 0; n < rows; ++n) {
      auto& count = counts.try_emplace(labels(n), IndexVector::Zero(folds)).first->second;
      ++count(fold_of_row(n));
    }
    for (const auto& [label, count] : counts) EXPECT_LE(count.maxCoeff() - count.minCoeff(), 1) << label;
  }
}

TEST(Splits, FoldSplitTestsOneFold) {
  const Split split = fold_split(IndexVector{{1, 0, 2, 1, 0}}, 1);
  EXPECT_EQ(split.test, (IndexVector{{0, 3}}));
  EXPECT_EQ(split.train, (IndexVector{{1, 2, 4}}));
}

TEST(HeldOutRows, AShareOfThemAscending) {
  const std::vector<Index> rows = held_out_rows(1000, 0.1, 3);
  ASSERT_EQ(rows.size(), 100u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
  EXPECT_GE(rows.front(), 0);
  EXPECT_LT(rows.back(), 1000);
  EXPECT_EQ(held_out_rows(1000, 0.1, 3), rows);
  EXPECT_NE(held_out_rows(1000, 0.1, 4), rows);
  EXPECT_TRUE(held_out_rows(9, 0.1, 1).empty());  // rounded down
  EXPECT_EQ(held_out_rows(3'000'000, 0.5, 1).size(), 100'000u);
  EXPECT_EQ(some_rows(5, 5, Rng(1)), (std::vector<Index>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace bochner::splits_test
