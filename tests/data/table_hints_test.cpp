#include "bochner/data/table_hints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bochner/random/rng.hpp"

namespace bochner {
namespace {

using Kind = TableHint::Kind;

std::vector<Kind> kinds(std::vector<View> views) {
  std::vector<Kind> out;
  for (const TableHint& hint : table_hints(join(std::move(views)))) out.push_back(hint.kind);
  return out;
}

Matrix from(const Matrix& Z, double (*f)(double)) { return Z.unaryExpr(f); }

TEST(TableHints, SaysNothingAboutGaussianTables) {
  EXPECT_TRUE(kinds({make_view("a", Rng(1).normal(200, 10)), make_view("b", Rng(2).normal(200, 4))}).empty());
}

TEST(TableHints, KnowsCountsButNotPixels) {
  const Matrix Z = Rng(3).normal(300, 12);
  const Matrix counts = from(Z, [](double z) { return std::floor(5 * std::exp(z)); });
  EXPECT_EQ(kinds({make_view("a", counts)}), std::vector{Kind::counts});
  const Matrix pixels = from(Z, [](double z) { return std::clamp(std::floor(128 + 100 * z), 0.0, 255.0); });
  EXPECT_TRUE(kinds({make_view("a", pixels)}).empty());
  const Matrix border =
      from(Z, [](double z) { return z > 2 ? 255.0 : 0.0; });  // of pictures: nearly always dark
  EXPECT_TRUE(kinds({make_view("a", border)}).empty());
}

TEST(TableHints, KnowsZerosAndOnes) {
  const Matrix Y = from(Rng(4).normal(100, 8), [](double z) { return z > 0.5 ? 1.0 : 0.0; });
  const std::vector<TableHint> hints = table_hints(join({make_view("a", Y)}));
  ASSERT_EQ(hints.size(), 1u);
  EXPECT_EQ(hints[0].kind, Kind::binary);
  EXPECT_EQ(hints[0].share, 1);
}

TEST(TableHints, KnowsHeavyTailsAndWhetherLogarithmsWouldDo) {
  const Matrix Z = Rng(5).normal(400, 6);
  for (const bool positive : {true, false}) {
    Matrix Y = from(Z, [](double z) { return std::exp(2.5 * z); });
    if (!positive) Y.array() -= 1;
    const std::vector<TableHint> hints = table_hints(join({make_view("a", Y)}));
    ASSERT_EQ(hints.size(), 1u);
    EXPECT_EQ(hints[0].kind, Kind::heavy_tails);
    EXPECT_EQ(hints[0].positive, positive);
  }
}

TEST(TableHints, KnowsSamplesInColumns) {
  Matrix genes(1500, 12);
  const Vector level = 2 * Rng(6).normal(1500);
  for (Index m = 0; m < 12; ++m) genes.col(m) = level + 0.5 * Rng(7).split(std::uint64_t(m)).normal(1500);
  EXPECT_EQ(kinds({make_view("a", genes)}), std::vector{Kind::samples_in_columns});
}

TEST(TableHints, KnowsTimeSeries) {
  Matrix paths = Rng(8).normal(300, 5);
  for (Index n = 1; n < 300; ++n) paths.row(n) = 0.95 * paths.row(n - 1) + 0.3 * paths.row(n);
  EXPECT_EQ(kinds({make_view("a", paths)}), std::vector{Kind::ordered_rows});
}

TEST(TableHints, LooksAtMeasuredEntriesAlone) {
  Matrix Y = from(Rng(9).normal(100, 6), [](double z) { return z > 0 ? 1.0 : 0.0; });
  for (Index n = 0; n < 100; ++n)
    for (Index m = 0; m < 6; ++m)
      if ((n + m) % 4 == 0) Y(n, m) = std::nan("");
  Y.col(5).setConstant(std::nan(""));
  EXPECT_EQ(kinds({make_view("a", Y)}), std::vector{Kind::binary});
}

/// Words of texts: 60 columns, few of them in each row, and rows of one to `longest` times as many words.
Matrix words(double longest) {
  const Matrix Z = Rng(9).normal(200, 60);
  Matrix Y = from(Z, [](double z) { return z > 1 ? std::floor(10 * std::exp(0.7 * z)) : 0.0; });
  for (Index n = 0; n < Y.rows(); ++n) Y.row(n) *= 1 + std::floor((longest - 1) * double(n % 7) / 6 + 0.5);
  return Y;
}

bool has_sizes(const Matrix& Y) {
  const std::vector<Kind> found = kinds({make_view("a", Y)});
  return std::find(found.begin(), found.end(), Kind::row_sizes) != found.end();
}

TEST(TableHints, KnowsRowsOfDifferentSizesWhereProfilesCouldBeCompared) {
  EXPECT_TRUE(has_sizes(words(6)));
  EXPECT_FALSE(has_sizes(words(1)));               // all alike
  EXPECT_FALSE(has_sizes(words(6).array() + 1));   // hardly a zero
  EXPECT_FALSE(has_sizes(words(6).leftCols(20)));  // a profile of so few columns says little
  EXPECT_FALSE(has_sizes(-words(6)));
  Matrix units = words(6);
  units.col(3).array() += 1000;  // one column is all that the size is made of
  EXPECT_FALSE(has_sizes(units));
  Matrix gaps = words(6);
  gaps.row(5).setConstant(std::nan(""));
  gaps.col(7).setConstant(std::nan(""));
  gaps.row(6).setZero();
  EXPECT_TRUE(has_sizes(gaps));
  const std::vector<TableHint> found = table_hints(join({make_view("a", words(6))}));
  EXPECT_GT(found.back().ratio, 3);
  EXPECT_LT(found.back().ratio, 8);
}

/// Indicators of three classes; `at` says which, or -1 for no label.
View indicators(const std::vector<int>& at) {
  Matrix Y = Matrix::Zero(Index(at.size()), 3);
  for (std::size_t n = 0; n < at.size(); ++n) {
    if (at[n] < 0)
      Y.row(Index(n)).setConstant(std::nan(""));
    else
      Y(Index(n), at[n]) = 1;
  }
  return make_view("labels", Y);
}

TEST(TableHints, KnowsRowsThatAreSortedByLabel) {
  std::vector<int> sorted, mixed, runs, unlabelled, one(60, 2);
  for (int n = 0; n < 60; ++n) {
    sorted.push_back(n / 20);
    mixed.push_back(7 * n % 3);
    runs.push_back(n / 4 % 3);  // short runs of each class: neighbours are alike all the same
    unlabelled.push_back(n % 2 == 0 ? n / 20 : -1);
  }
  EXPECT_TRUE(sorted_by_label(indicators(sorted)));
  EXPECT_TRUE(sorted_by_label(indicators(runs)));
  EXPECT_TRUE(sorted_by_label(indicators(unlabelled)));
  EXPECT_FALSE(sorted_by_label(indicators(mixed)));
  EXPECT_FALSE(sorted_by_label(indicators(one)));
  EXPECT_FALSE(sorted_by_label(indicators({0, 0, 0, 1, 1, 1}))) << "too few to tell";
  const IndexVector order = Rng(1).permutation(60);
  std::vector<int> shuffled;
  for (const Index n : order) shuffled.push_back(sorted[std::size_t(n)]);
  EXPECT_FALSE(sorted_by_label(indicators(shuffled)));
}

}  // namespace
}  // namespace bochner
