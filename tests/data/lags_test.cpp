#include "bochner/data/lags.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::lags_test {
namespace {

Matrix two_series(Index T) {  // t and 100 + t: every entry says where it came from
  Matrix y(T, 2);
  for (Index t = 0; t < T; ++t) y.row(t) << double(t), 100 + double(t);
  return y;
}

TEST(Lags, WindowsHoldOneMoreThanTheLags) {
  const LagTable table = lag_table(two_series(6), 2);
  ASSERT_EQ(table.past.rows(), 3);  // T - p - 1
  EXPECT_EQ(table.past.row(0), (Vector{{0, 100, 1, 101, 2, 102}}.transpose()));
  EXPECT_EQ(table.next.row(0), (Vector{{3, 103}}.transpose()));
  EXPECT_EQ(table.past.row(2), (Vector{{2, 102, 3, 103, 4, 104}}.transpose()));
  EXPECT_EQ(table.at, (IndexVector{{3, 4, 5}}));
}

TEST(Lags, ZeroLagsIsTheLastTimeAlone) {
  const LagTable table = lag_table(two_series(4), 0);
  ASSERT_EQ(table.past.rows(), 3);
  EXPECT_EQ(table.past.cols(), 2);
  EXPECT_EQ(table.past(2, 0), 2);
  EXPECT_EQ(table.next(2, 1), 103);
}

TEST(Lags, NoWindowReachesOverAGap) {
  Matrix y = two_series(12);
  y(5, 1) = std::nan("");  // one series is enough
  const LagTable table = lag_table(y, 1);
  EXPECT_EQ(table.at, (IndexVector{{2, 3, 4, 8, 9, 10, 11}}));
  EXPECT_TRUE(table.past.allFinite());
  EXPECT_TRUE(table.next.allFinite());
  EXPECT_EQ(lag_table(Matrix::Constant(4, 1, std::nan("")), 1).past.rows(), 0);
  EXPECT_EQ(lag_table(two_series(2), 5).past.rows(), 0);
}

TEST(Lags, AWindowIsWhereItEnds) {
  EXPECT_EQ(window_at(two_series(6), 1, 4), (Matrix{{3, 103, 4, 104}}));
  EXPECT_THROW(window_at(two_series(6), 3, 2), std::domain_error);
  EXPECT_THROW(window_at(two_series(6), 3, 6), std::domain_error);
  EXPECT_THROW(lag_table(two_series(6), -1), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::lags_test
