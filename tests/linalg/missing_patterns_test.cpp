#include "bochner/linalg/missing_patterns.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/random/rng.hpp"

namespace bochner::missing_patterns_test {
namespace {

using Indices = std::vector<Index>;
const double nan = std::numeric_limits<double>::quiet_NaN();

Indices observed_rows(const Matrix& Y, Index column) {
  Indices rows;
  for (Index n = 0; n < Y.rows(); ++n)
    if (!std::isnan(Y(n, column))) rows.push_back(n);
  return rows;
}

/// The slow twin: every column against every earlier pattern.
std::vector<MissingPattern> slow_missing_patterns(const Matrix& Y) {
  std::vector<MissingPattern> patterns;
  for (Index m = 0; m < Y.cols(); ++m) {
    const Indices rows = observed_rows(Y, m);
    std::size_t p = 0;
    while (p < patterns.size() && patterns[p].rows != rows) ++p;
    if (p == patterns.size()) patterns.push_back({.columns = {}, .rows = rows});
    patterns[p].columns.push_back(m);
  }
  return patterns;
}

void expect_same(const std::vector<MissingPattern>& a, const std::vector<MissingPattern>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t p = 0; p < a.size(); ++p) {
    EXPECT_EQ(a[p].columns, b[p].columns) << "pattern " << p;
    EXPECT_EQ(a[p].rows, b[p].rows) << "pattern " << p;
  }
}

TEST(MissingPatterns, GroupsColumnsInOrderOfFirstAppearance) {
  Matrix Y(3, 6);
  Y << 1, nan, 3, nan, 5, nan,  //
      1, 2, 3, nan, nan, 6,     //
      1, 2, 3, nan, 5, 6;
  expect_same(missing_patterns(Y), {{.columns = {0, 2}, .rows = {0, 1, 2}},
                                    {.columns = {1, 5}, .rows = {1, 2}},
                                    {.columns = {3}, .rows = {}},
                                    {.columns = {4}, .rows = {0, 2}}});
}

TEST(MissingPatterns, FullTableIsOnePattern) {
  const std::vector<MissingPattern> patterns = missing_patterns(Matrix::Ones(130, 3));
  ASSERT_EQ(patterns.size(), 1u);
  EXPECT_EQ(patterns[0].columns, (Indices{0, 1, 2}));
  EXPECT_EQ(patterns[0].rows.size(), 130u);
}

TEST(MissingPatterns, EmptyShapes) {
  EXPECT_TRUE(missing_patterns(Matrix(5, 0)).empty());
  expect_same(missing_patterns(Matrix(0, 2)), {{.columns = {0, 1}, .rows = {}}});
}

TEST(MissingPatterns, NanOfEitherSignIsMissingAndInfinityIsNot) {
  Matrix Y(2, 3);
  Y << -nan, nan, std::numeric_limits<double>::infinity(),  //
      0, 0, 0;
  expect_same(missing_patterns(Y), {{.columns = {0, 1}, .rows = {1}}, {.columns = {2}, .rows = {0, 1}}});
}

// Rows on both sides of a multiple of 64, few and many distinct patterns.
TEST(MissingPatterns, EqualsTheSlowTwinOnRandomTables) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    const Index N = Index(rng.bits() % 200), M = Index(rng.bits() % 12), kinds = 1 + Index(rng.bits() % 5);
    const std::uint64_t keep = 1 + rng.bits() % 7;  // an entry is observed with probability keep / 8
    BoolMatrix kind(N, kinds);
    for (Index i = 0; i < kind.size(); ++i) kind.data()[i] = rng.bits() % 8 < keep;
    Matrix Y = Matrix::Zero(N, M);
    for (Index m = 0; m < M; ++m) {
      const Index k = Index(rng.bits() % std::uint64_t(kinds));
      for (Index n = 0; n < N; ++n)
        if (!kind(n, k)) Y(n, m) = nan;
    }
    SCOPED_TRACE(seed);
    expect_same(missing_patterns(Y), slow_missing_patterns(Y));
  }
}

TEST(MissingPatterns, ReadsABlockOfAWiderMatrix) {
  Matrix wide = Matrix::Zero(70, 9);
  wide(69, 3) = nan;
  expect_same(missing_patterns(wide.middleCols(2, 3)), slow_missing_patterns(Matrix(wide.middleCols(2, 3))));
}

}  // namespace
}  // namespace bochner::missing_patterns_test
