#include "src/data/batches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace bochner::batches_test {
namespace {

/// Row n has the input n and the outcome -n.
RowSource numbered_rows(Index n, Index* reads = nullptr) {
  return {n, 1, 1, [reads](Index begin, MatrixOut X, MatrixOut Y) {
            if (reads != nullptr) ++*reads;
            for (Index i = 0; i < X.rows(); ++i) {
              X(i, 0) = double(begin + i);
              Y(i, 0) = -double(begin + i);
            }
          }};
}

std::multiset<double> epoch(Batches& batches, Index first, Index count) {
  std::multiset<double> seen;
  Matrix X, Y;
  for (Index step = first; step < first + count; ++step) {
    batches.take(step, X, Y);
    EXPECT_EQ(X, -Y);
    EXPECT_EQ(X.rows(), batches.batch());
    for (const double x : X.reshaped()) seen.insert(x);
  }
  return seen;
}

TEST(Batches, AnEpochHasEveryRowOnce) {
  Batches batches(numbered_rows(100), {.batch = 10}, Rng(1));
  ASSERT_TRUE(batches.in_memory());
  const std::multiset<double> first = epoch(batches, 0, 10), second = epoch(batches, 10, 10);
  EXPECT_EQ(first, second);
  EXPECT_EQ(std::set<double>(first.begin(), first.end()).size(), 100u);
  Matrix a, b, Y;
  batches.take(0, a, Y);
  batches.take(10, b, Y);
  EXPECT_NE(a, b);  // another order
}

TEST(Batches, ValidationRowsAreNeverLearnedFrom) {
  for (const double memory : {1e9, 0.0}) {
    Batches batches(numbered_rows(1000),
                    {.batch = 16, .validation = 100, .memory = memory, .window = 8, .buffer = 64}, Rng(2));
    EXPECT_EQ(batches.in_memory(), memory > 0);
    const Matrix& apart = batches.validation_X();
    EXPECT_GE(apart.rows(), 100);
    EXPECT_LT(apart.rows(), 108);
    EXPECT_EQ(batches.rows() + apart.rows(), 1000);
    const std::multiset<double> seen = epoch(batches, 0, 400);
    for (const double x : apart.reshaped()) EXPECT_FALSE(seen.contains(x));
    // and all others are, sooner or later
    EXPECT_EQ(Index(std::set<double>(seen.begin(), seen.end()).size()), batches.rows());
  }
}

TEST(Batches, ABatchDependsOnItsNumberAlone) {
  for (const double memory : {1e9, 0.0}) {
    const BatchOptions options{.batch = 10, .validation = 9, .memory = memory, .window = 7, .buffer = 50};
    Batches straight(numbered_rows(333), options, Rng(3)), late(numbered_rows(333), options, Rng(3));
    Matrix X, Y, X_late, Y_late;
    for (Index step = 0; step < 57; ++step) straight.take(step, X, Y);
    late.take(56, X_late, Y_late);
    EXPECT_EQ(X, X_late);
  }
}

TEST(Batches, WindowsAreReadPieceByPiece) {
  Index reads = 0;
  Batches batches(numbered_rows(100000, &reads), {.batch = 50, .memory = 0, .window = 100, .buffer = 1000},
                  Rng(4));
  const std::multiset<double> seen = epoch(batches, 0, 18);  // one buffer
  EXPECT_EQ(reads, 10);
  std::set<Index> windows;
  for (const double x : seen) windows.insert(Index(x) / 100);
  EXPECT_EQ(windows.size(), 10u);
  EXPECT_EQ(std::set<double>(seen.begin(), seen.end()).size(), seen.size());
}

TEST(Batches, SmallTablesAreOneBatch) {
  for (const double memory : {1e9, 0.0}) {
    Batches batches(numbered_rows(30), {.batch = 256, .memory = memory, .window = 512}, Rng(5));
    EXPECT_EQ(batches.batch(), 30);
    EXPECT_EQ(epoch(batches, 3, 1).size(), 30u);
    EXPECT_EQ(batches.some_inputs(10000).rows(), 30);
    EXPECT_EQ(batches.some_inputs(7).rows(), 7);
  }
}

}  // namespace
}  // namespace bochner::batches_test
