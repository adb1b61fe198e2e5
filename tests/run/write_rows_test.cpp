#include "bochner/run/write_rows.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "bochner/random/rng.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::write_rows_test {
namespace {

TEST(WriteRows, ThreadsGiveTheBytesOfOneWriter) {
  const testing::TempFolder folder;
  // Narrow: many blocks of many rows, several rounds of them. Wide: a row is a block.
  for (const auto& [rows, cols] : {std::pair<Index, Index>{140'000, 2}, {3, 5000}, {1, 1}, {0, 2}}) {
    Table table{.values = Rng(1).normal(rows, cols)};
    for (Index n = 0; n < rows; ++n) table.ids.push_back("a, \"b\" " + std::to_string(n));
    for (Index m = 0; m < cols; ++m) table.columns.push_back("c" + std::to_string(m));
    if (rows > 2) table.values(2, 1) = std::numeric_limits<double>::quiet_NaN();
    for (const std::string ending : {".csv", ".tsv.gz"}) {
      write_csv(folder.file("one" + ending), table);
      for (const int threads : {1, 2, 7}) {
        write_table(folder.file("many" + ending), table.ids, table.columns, table.values, Threads(threads));
        EXPECT_EQ(testing::slurp(folder.file("many" + ending)), testing::slurp(folder.file("one" + ending)));
      }
    }
  }
}

TEST(WriteRows, IdsMustFitTheRows) {
  const testing::TempFolder folder;
  CsvWriter file(folder.file("x.csv"), {"a", "b"});
  EXPECT_THROW(write_rows(file, {"1"}, Matrix::Zero(2, 2), Threads(2)), std::invalid_argument);
  EXPECT_THROW(write_rows(file, {"1", "2"}, Matrix::Zero(2, 3), Threads(2)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::write_rows_test
