#include "bochner/data/most_variable.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"

namespace bochner::most_variable_test {
namespace {

const double nan = std::numeric_limits<double>::quiet_NaN();
using Places = std::vector<Index>;

TEST(MostVariable, KeepsTheColumnsOfLargestVariance) {
  // Variances 1, 0, 4, 1, that of 0, 10 alone: 25, none, 1.
  const Matrix Y{{1, 7, 2, 8, 0, nan, 101},
                 {-1, 7, -2, 6, 10, nan, 99},
                 {1, 7, 2, 8, nan, nan, 101},
                 {-1, 7, -2, 6, nan, nan, 99}};
  EXPECT_EQ(most_variable(Y, 1), (Places{4}));
  EXPECT_EQ(most_variable(Y, 2), (Places{2, 4}));
  EXPECT_EQ(most_variable(Y, 3), (Places{0, 2, 4}));  // three columns vary alike: the first of them
  EXPECT_EQ(most_variable(Y, 4), (Places{0, 2, 3, 4}));
  EXPECT_EQ(most_variable(Y, 6), (Places{0, 1, 2, 3, 4, 6}));  // a constant before one without entries
  EXPECT_EQ(most_variable(Y, 7).size(), 7U);
  EXPECT_EQ(most_variable(Y, 100).size(), 7U);
  EXPECT_THROW(most_variable(Y, 0), std::invalid_argument);
}

TEST(MostVariable, DoesNotOverflow) {
  const Matrix Y{{1e200, 3e200}, {-1e200, -3e200}};  // whose squares are infinite
  EXPECT_EQ(most_variable(Y, 1), (Places{1}));
}

TEST(MostVariable, NamesOfKeptColumnsAreUnique) {
  const std::vector<std::string> columns{"a", "b", "a", "c"};
  EXPECT_NO_THROW(check_kept_names("rna", columns, {1, 3}));
  EXPECT_NO_THROW(check_kept_names("rna", columns, {0, 1, 2, 3}));  // all of them, in their order
  try {
    check_kept_names("rna", columns, {0, 1});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("view 'rna' has 2 columns named 'a'"), std::string::npos);
  }
}

TEST(MostVariable, ColumnsAreTakenFromEveryView) {
  View a = make_view("a", Matrix{{1, 2, 3}, {4, nan, 6}}), b = make_view("b", Matrix{{7, 8}});
  const Dataset data = join({a, b}).take_columns({{2, 0}, {1}});
  EXPECT_EQ(data.view(0).columns, (std::vector<std::string>{"a_2", "a_0"}));
  EXPECT_EQ(data.view(0).Y, (Matrix{{3, 1}, {6, 4}}));
  EXPECT_EQ(data.view(1).columns, (std::vector<std::string>{"b_1"}));
  EXPECT_EQ(data.view(1).Y(0, 0), 8);
  EXPECT_TRUE(data.present(1)(0));
  EXPECT_FALSE(data.present(1)(1));
  EXPECT_EQ(data.observed(), 5);
  EXPECT_THROW(data.take_columns({{0}}), std::invalid_argument);
  EXPECT_THROW(data.take_columns({{2}, {0}}), std::domain_error);
  EXPECT_THROW(data.take_columns({{}, {0}}), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::most_variable_test
