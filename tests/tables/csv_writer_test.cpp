#include "bochner/random/rng.hpp"
#include "bochner/tables/csv.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::testing::csv_writer_test {

namespace {

TEST(CsvWriter, BlocksGiveTheBytesOfTheWhole) {
  const TempFolder folder;
  const Table table{{"a", "b, c", "d", "e", "f"}, {"x", "y \"z\""}, Rng(1).normal(5, 2)};
  for (const char* name : {"whole.csv", "whole.tsv.gz"}) write_csv(folder.file(name), table, "sample");
  for (const std::string ending : {".csv", ".tsv.gz"}) {
    CsvWriter blocks(folder.file("blocks" + ending), table.columns, "sample");
    blocks.write({"a", "b, c"}, table.values.topRows(2));
    blocks.write({}, table.values.topRows(0));
    blocks.write({"d", "e", "f"}, table.values.bottomRows(3));
    EXPECT_FALSE(std::filesystem::exists(folder.file("blocks" + ending)));
    blocks.commit();
    EXPECT_EQ(slurp(folder.file("blocks" + ending)), slurp(folder.file("whole" + ending)));
  }
}

TEST(CsvWriter, WithoutCommitNothingIsLeft) {
  const TempFolder folder;
  {
    CsvWriter writer(folder.file("x.csv"), {"a"});
    writer.write({"1"}, Matrix::Ones(1, 1));
    EXPECT_THROW(writer.write({"1", "2"}, Matrix::Ones(1, 1)), std::invalid_argument);
    EXPECT_THROW(writer.write({"1"}, Matrix::Ones(1, 2)), std::invalid_argument);
  }
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace

}  // namespace bochner::testing::csv_writer_test
