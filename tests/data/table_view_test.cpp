#include "bochner/data/table_view.hpp"

#include <gtest/gtest.h>

namespace bochner::table_view_test {
namespace {

using Names = std::vector<std::string>;

TEST(TableView, KeepsNamesAndMakesGeneratedColumnsDiffer) {
  const Matrix Y{{1, 2}, {3, 4}, {5, 6}};
  const View named = make_view("rna", Table{{"x", "y", "z"}, {"a", "b"}, Y});
  EXPECT_EQ(named.name, "rna");
  EXPECT_EQ(named.ids, (Names{"x", "y", "z"}));
  EXPECT_EQ(named.columns, (Names{"a", "b"}));
  EXPECT_EQ(named.Y, Y);
  const View numbered = make_view("rna", make_table(Y)),
             other = make_view("rna", Y);  // the same as data's own
  EXPECT_EQ(numbered.ids, other.ids);
  EXPECT_EQ(numbered.columns, other.columns);
  EXPECT_EQ(make_table(named).values, Y);
  EXPECT_EQ(make_table(named).columns, named.columns);
}

}  // namespace
}  // namespace bochner::table_view_test
