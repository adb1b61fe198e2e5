#include "bochner/simulate/missing.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::missing_test {
namespace {

std::vector<View> three_views(Index N) {
  return {make_view("a", Rng(1).normal(N, 20)), make_view("b", Rng(2).normal(N, 5)),
          make_view("c", Rng(3).normal(N, 9))};
}

TEST(MissingOptions, NoneLeavesTheTablesAlone) {
  const std::vector<View> views = three_views(30);
  const Dataset data = with_missing(views, {}, Rng(4));
  ASSERT_EQ(data.view_count(), 3);
  EXPECT_EQ(data.ids(), views[0].ids);
  for (Index v = 0; v < 3; ++v) EXPECT_EQ(data.view(v).Y, views[static_cast<std::size_t>(v)].Y);
}

TEST(MissingOptions, AbsentSamplesAndMissingEntriesAreAsManyAsAskedAndTheRestIsUntouched) {
  const Index N = 200;
  const std::vector<View> views = three_views(N);
  const Dataset data = with_missing(views, {.samples = 0.3, .entries = 0.2}, Rng(4));
  EXPECT_EQ(data.ids(), views[0].ids);  // in the order of the truth, although view "a" lacks some
  for (Index v = 0; v < 3; ++v) {
    const Matrix &Y = data.view(v).Y, &full = views[static_cast<std::size_t>(v)].Y;
    EXPECT_EQ(data.present(v).count(), 140);
    const double left = 140.0 * static_cast<double>(Y.cols());
    EXPECT_EQ(data.observed(v), static_cast<Index>(left - std::round(0.2 * left)));
    for (Index n = 0; n < N; ++n)
      for (Index m = 0; m < Y.cols(); ++m) {
        EXPECT_TRUE(std::isnan(Y(n, m)) || Y(n, m) == full(n, m));
        EXPECT_TRUE(std::isnan(Y(n, m)) || data.present(v)(n));
      }
  }
  EXPECT_TRUE(data.empty_rows().empty());
}

TEST(MissingOptions, AbsencesFallEverywhereAlike) {
  // 400 data sets of 10 samples, each view losing 3: a sample is absent from a view 120 times, give or take
  // sqrt(400 0.3 0.7) = 9.2.
  Matrix count = Matrix::Zero(10, 2);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Dataset data =
        with_missing({make_view("a", Matrix::Ones(10, 2)), make_view("b", Matrix::Ones(10, 2))},
                     {.samples = 0.3}, Rng(seed));
    for (Index v = 0; v < 2; ++v)
      for (Index n = 0; n < 10; ++n) count(n, v) += data.present(v)(n) ? 0 : 1;
  }
  EXPECT_EQ(count.sum(), 400 * 6);
  EXPECT_LT((count.array() - 120).abs().maxCoeff(), 4 * 9.2);
}

TEST(MissingOptions, NoSampleLosesEverythingEvenAtTheLimit) {
  const Dataset half = with_missing(
      {make_view("a", Matrix::Ones(40, 3)), make_view("b", Matrix::Ones(40, 3))}, {.samples = 0.5}, Rng(7));
  for (Index n = 0; n < 40; ++n) EXPECT_NE(half.present(0)(n), half.present(1)(n));  // exactly one view each
  const Dataset most = with_missing(three_views(50), {.samples = 0.9, .entries = 0.95}, Rng(8));
  EXPECT_EQ(most.rows(), 50);
  EXPECT_TRUE(most.empty_rows().empty());
  const Dataset single = with_missing({make_view("a", Matrix::Ones(40, 3))}, {.samples = 0.5}, Rng(9));
  EXPECT_EQ(single.present(0).count(), 40);  // the only view of a sample stays
}

TEST(MissingOptions, BadArguments) {
  EXPECT_THROW(with_missing({}, {}, Rng(1)), std::exception);
  EXPECT_THROW(with_missing(three_views(5), {.samples = 1}, Rng(1)), std::domain_error);
  EXPECT_THROW(with_missing(three_views(5), {.entries = -0.1}, Rng(1)), std::domain_error);
  EXPECT_THROW(
      with_missing({make_view("a", Matrix::Ones(4, 3)), make_view("b", Matrix::Ones(5, 3))}, {}, Rng(1)),
      std::invalid_argument);
}

}  // namespace
}  // namespace bochner::missing_test
