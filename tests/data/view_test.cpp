#include "bochner/data/view.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bochner/core/errors.hpp"

namespace bochner::view_test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();

View small_view() {
  View view{.name = "rna", .ids = {"s1", "s2", "s3"}, .columns = {"TP53", "MYC"}, .Y = Matrix(3, 2)};
  view.Y << 1, 2, nan, 4, 5, nan;
  return view;
}

std::string complaint(const View& view) {
  try {
    check_view(view);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(View, GoodViewPasses) { EXPECT_EQ(complaint(small_view()), ""); }

TEST(View, RepeatedColumnNamesAndAllMissingAreFine) {
  View view = small_view();
  view.columns = {"MYC", "MYC"};
  view.Y.setConstant(nan);
  EXPECT_EQ(complaint(view), "");
}

TEST(View, InfiniteEntryIsNamedByViewSampleAndColumn) {
  for (const double bad :
       {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
    View view = small_view();
    view.Y(1, 1) = bad;
    EXPECT_EQ(complaint(view),
              "view 'rna' holds an infinite value for sample 's2' in column 'MYC'; correct it, or leave the "
              "cell empty "
              "if it was not measured");
  }
}

TEST(View, RepeatedIdNamesBothRows) {
  View view = small_view();
  view.ids = {"s1", "s2", "s1"};
  EXPECT_EQ(complaint(view),
            "view 'rna' has the id 's1' in rows 1 and 3; ids must be unique, so rename, merge or drop one of "
            "the rows");
}

TEST(View, EmptyIdNameRowsAndColumnsAreRefused) {
  View view = small_view();
  view.ids[1] = "";
  EXPECT_NE(complaint(view).find("no id in row 2"), std::string::npos);
  view = small_view();
  view.name = "";
  EXPECT_NE(complaint(view).find("has no name"), std::string::npos);
  EXPECT_NE(complaint(make_view("v", Matrix(0, 2))).find("has no rows"), std::string::npos);
  EXPECT_NE(complaint(make_view("v", Matrix(2, 0))).find("has no columns"), std::string::npos);
}

TEST(View, NamesThatDoNotFitTheTableAreAProgrammingError) {
  View view = small_view();
  view.ids.pop_back();
  EXPECT_THROW(check_view(view), std::invalid_argument);
  view = small_view();
  view.columns.push_back("extra");
  EXPECT_THROW(check_view(view), std::invalid_argument);
}

TEST(View, MakeViewNumbersRowsAndColumns) {
  const View view = make_view("rna", Matrix::Zero(2, 3));
  EXPECT_EQ(view.ids, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(view.columns, (std::vector<std::string>{"rna_0", "rna_1", "rna_2"}));
  EXPECT_EQ(complaint(view), "");
}

TEST(View, SelectColumnsReordersAndDrops) {
  View view{.name = "rna", .ids = {"a", "b"}, .columns = {"x", "y", "z"}, .Y = Matrix(2, 3)};
  view.Y << 1, 2, 3, 4, 5, 6;
  const View chosen = select_columns(view, {"z", "x"});
  Matrix expected(2, 2);
  expected << 3, 1, 6, 4;
  EXPECT_EQ(chosen.Y, expected);
  EXPECT_EQ(chosen.columns, (std::vector<std::string>{"z", "x"}));
  EXPECT_EQ(chosen.ids, view.ids);
}

TEST(View, SelectColumnsRefusesAbsentAndAmbiguousNames) {
  View view{.name = "rna", .ids = {"a"}, .columns = {"x", "y", "x"}, .Y = Matrix::Zero(1, 3)};
  EXPECT_THROW(select_columns(view, {"q"}), InputError);
  EXPECT_THROW(select_columns(view, {"x"}), InputError);
  EXPECT_EQ(select_columns(view, {"y"}).cols(), 1);
  EXPECT_EQ(select_columns(view, {"x", "y", "x"}).cols(), 3);  // the names agree one by one
}

TEST(View, ObservedEntriesAreThoseThatAreNotNan) {
  BoolMatrix expected(3, 2);
  expected << true, true, false, true, true, false;
  EXPECT_EQ(observed_mask(small_view().Y), expected);
  EXPECT_EQ(count_observed(small_view().Y), 4);
}

}  // namespace
}  // namespace bochner::view_test
