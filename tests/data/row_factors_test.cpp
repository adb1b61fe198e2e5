#include "bochner/data/row_factors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bochner::row_factors_test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

TEST(RowFactors, AreRootMeanSquaresOfMeasuredEntries) {
  const Matrix Y{{3, 4, nan}, {0, 0, 0}, {nan, nan, nan}, {1, -1, 1}, {6, nan, nan}, {3e200, 4e200, nan}};
  const Vector f = row_factors(Y);
  EXPECT_NEAR(f(0), std::sqrt(12.5), 1e-14);
  EXPECT_EQ(f(1), 1);
  EXPECT_TRUE(std::isnan(f(2)));
  EXPECT_NEAR(f(3), 1, 1e-15);
  EXPECT_EQ(f(4), 6);
  EXPECT_NEAR(f(5) / 1e200, std::sqrt(12.5), 1e-14);
  EXPECT_EQ(row_factors(Matrix{{5e-324, 0}})(0), 1);  // nothing could be divided by it
  EXPECT_EQ(median_factor(Vector{{5, nan, 1, 2}}), 2);
  EXPECT_EQ(median_factor(Vector{{5, nan, 1, 2, 4}}), 3);
  EXPECT_EQ(median_factor(Vector{{nan}}), 1);
}

/// The first sample has both views, the second the first alone, the third the second alone.
Dataset example() {
  View a = make_view("a", Matrix{{3, 4}, {6, 8}}), b = make_view("b", Matrix{{2, 2}, {nan, 10}});
  a.ids = {"s", "t"};
  b.ids = {"s", "u"};
  return join({a, b});
}

TEST(RowFactors, AFitTakesTheMedianWhereAViewIsLacking) {
  const Dataset data = example();
  const RowFactors f = fit_row_factors(data, {true, false});
  EXPECT_TRUE(f.any());
  const double one = std::sqrt(12.5), median = 1.5 * one;
  EXPECT_NEAR(f.by_view[0](0), one, 1e-14);
  EXPECT_NEAR(f.by_view[0](1), 2 * one, 1e-14);
  EXPECT_NEAR(f.by_view[0](2), median, 1e-14);
  EXPECT_NEAR(f.medians[0], median, 1e-14);
  EXPECT_EQ(f.medians[1], 0);
  EXPECT_EQ(f.by_view[1].size(), 0);
  const Dataset divided = divide_rows(data, f);
  EXPECT_NEAR(divided.view(0).Y(0, 1), 4 / one, 1e-14);
  EXPECT_NEAR(divided.view(0).Y(1, 1), 4 / one, 1e-14);  // twice the profile of the first
  EXPECT_EQ(divided.view(1).Y(0, 0), 2);
  EXPECT_FALSE(divided.present(0)(2));
  EXPECT_FALSE(fit_row_factors(data, {false, false}).any());
}

TEST(RowFactors, OtherSamplesHaveTheMediansOfTheFit) {
  struct FitView {
    std::string name;
    std::vector<std::string> columns;
    double row_median = 0;
  };
  struct Fit {
    std::vector<FitView> views;
  };
  const std::vector<std::string> a = example().view("a").columns, b = example().view("b").columns;
  const Fit fit{{{"c", {"x"}, 7}, {"b", b, 5}, {"a", a, 0}}};
  const NormalisedRows rows = normalised_for(fit, example());
  EXPECT_EQ(rows.factors.by_view[0], Vector::Constant(3, 7));  // which the data lack
  EXPECT_EQ(rows.factors.by_view[1], (Vector{{2, 5, 10}}));
  EXPECT_EQ(rows.factors.by_view[2].size(), 0);
  EXPECT_EQ(rows.data.view("b").Y(2, 1), 1);
  EXPECT_EQ(rows.data.view("a").Y(1, 1), 8);

  // Of a model that has the first column of b alone, the second has no part in the factor.
  const Fit one{{{"b", {b[0]}, 5}}};
  EXPECT_EQ(normalised_for(one, example()).factors.by_view[0], (Vector{{2, 5, 5}}));

  const Predictive p{Matrix{{1, 2}, {3, 4}}, Matrix{{1, 1}, {1, 1}}, Matrix{{2, 1}, {1, 2}}};
  const Predictive q = multiply_rows(p, Vector{{2, 3}});
  EXPECT_EQ(q.mean, (Matrix{{2, 4}, {9, 12}}));
  EXPECT_EQ(q.f_variance, (Matrix{{4, 4}, {9, 9}}));
  EXPECT_EQ(q.y_variance, (Matrix{{8, 4}, {9, 18}}));
  EXPECT_EQ(multiply_rows(p, Vector()).mean, p.mean);
}

}  // namespace
}  // namespace bochner::row_factors_test
