#include "bochner/models/latent/relevance.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/random/rng.hpp"

namespace bochner::relevance_test {
namespace {

TEST(Relevance, IsWhatIsLostOfTheWhole) {
  // Two columns and two dimensions: 10 and 30 to explain, of which 4 and 15 are left, and more without a dimension.
  const ColumnErrors first{Vector{{10, 30}}, Vector{{4, 15}}, Matrix{{7, 4}, {15, 60}}, Vector{{20, 5}}};
  const ColumnErrors second{Vector{{0, 8}}, Vector{{0, 10}}, Matrix{{0, 0}, {9, 12}}, Vector{{0, 6}}};
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
  EXPECT_EQ(r.entries[0], (Vector{{20, 5}}));
}

TEST(Relevance, TopColumnsNeedNoLoadings) {
  const Relevance r{Matrix::Zero(1, 2),
                    {Matrix{{0.2, 0}, {0.0005, 0.1}, {0.3, 0}}},
                    Vector::Zero(1),
                    {Vector::Constant(3, 100)}};
  const std::vector<TopColumn> top = top_columns(r, {}, 0, 5);
  ASSERT_EQ(top.size(), 2U);
  EXPECT_EQ(top[0].column, 2);
  EXPECT_EQ(top[1].column, 0);
  EXPECT_EQ(top[1].loading, 0);
}

// scipy.stats.pearsonr(x, y).confidence_interval(0.9) of samples with r = 0.6, n = 28 begins at 0.348887, with r = 0.9, n = 10 at
// 0.691343: Fisher's interval, which has n - 3 where nothing else is given, one dimension.
TEST(Relevance, LowerEndIsThatOfFishersInterval) {
  EXPECT_NEAR(std::sqrt(lower_relevance(0.36, 28, 1)), 0.348887, 1e-6);
  EXPECT_NEAR(std::sqrt(lower_relevance(0.81, 10, 1)), 0.691343, 1e-6);
  // Every other dimension takes an entry.
  EXPECT_EQ(lower_relevance(0.36, 28, 1), lower_relevance(0.36, 30, 3));
  // Too few entries, an interval that reaches zero, and columns that are explained exactly.
  EXPECT_EQ(lower_relevance(0.99, 3, 1), 0);
  EXPECT_EQ(lower_relevance(0.01, 28, 1), 0);
  EXPECT_EQ(lower_relevance(0, 1000, 1), 0);
  EXPECT_GT(lower_relevance(1, 28, 2), 0.99);
  EXPECT_LE(lower_relevance(1, 28, 2), 1);
}

TEST(Relevance, EntriesThatCarryAColumn) {
  // All alike, one alone, two of four, nothing; and scales whose squares overflow or vanish.
  const Matrix squares{
      {2, 0, 1, 0, 1e200, 1e-200}, {2, 9, 0, 0, 1e200, 1e-200}, {2, 0, 1, 0, 0, 1e-200}, {2, 0, 0, 0, 0, 0}};
  const Vector found = carriers(squares), expected{{4, 1, 2, 0, 2, 3}};
  for (Index m = 0; m < found.size(); ++m) EXPECT_NEAR(found(m), expected(m), 1e-12) << m;
  EXPECT_EQ(carriers(Matrix(0, 2)), Vector::Zero(2));
  // Of a normal column a third of the entries: (sum t)^2 / sum t^2 = n 1^2 / 3.
  const Matrix normal = Rng(1).normal(30000, 1).cwiseAbs2();
  EXPECT_NEAR(carriers(normal)(0), 10000, 4 * std::sqrt(8.0 / 3 / 30000) * 10000);
}

TEST(Relevance, SquaresAreAroundMeansOfMeasuredEntries) {
  const Matrix Y{{1, std::nan("")}, {4, std::nan("")}, {std::nan(""), 5}, {1, 7}};
  EXPECT_EQ(squares_around_means(Y), (Matrix{{1, 0}, {4, 0}, {0, 1}, {1, 1}}));
}

TEST(Relevance, AColumnOfOneEntryDoesNotLead) {
  // Explained best of all, but one entry is all of its variance; and a column that was measured in six samples.
  const Relevance r{Matrix::Zero(1, 2),
                    {Matrix{{0.97, 0}, {0.5, 0}, {0.9, 0}, {0.6, 0}}},
                    Vector::Zero(1),
                    {Vector{{1.02, 90, 5.5, 80}}}};
  const std::vector<TopColumn> top = top_columns(r, {}, 0, 4);
  ASSERT_EQ(top.size(), 4U);
  EXPECT_EQ(top[0].column, 3);
  EXPECT_EQ(top[1].column, 1);
  EXPECT_EQ(top[2].column, 2);
  EXPECT_EQ(top[3].column, 0);
  EXPECT_EQ(top[3].relevance, 0.97);
  EXPECT_EQ(top[3].lower, 0);
  EXPECT_EQ(top[0].lower, lower_relevance(0.6, 80, 2));
}

TEST(Relevance, ErrorsAreThoseOfMeasuredEntries) {
  const Matrix Y{{1, std::nan("")}, {2, 5}}, F{{0, 9}, {4, 2}};
  EXPECT_EQ(squared_errors(Y, F), (Vector{{5, 9}}));
}

}  // namespace
}  // namespace bochner::relevance_test
