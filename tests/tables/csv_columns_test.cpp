#include <gtest/gtest.h>

#include <cmath>

#include "bochner/tables/csv.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::csv_columns_test {
namespace {

using Names = std::vector<std::string>;

TEST(Csv, NamesOfRowsThatOtherProgramsWriteAreIds) {
  for (const char* name : {"", "id", "ID", "rownames", "row.names", "Unnamed: 0", "index", "sample_id"}) {
    const Table t = parse_csv(std::string(name) + ",a\n7,1\n9,2\n", "t.csv", {.named_ids = true});
    EXPECT_EQ(t.ids, (Names{"7", "9"})) << name;
    EXPECT_EQ(t.columns, (Names{"a"})) << name;
  }
  for (const char* name : {"a", "time", "price", "rows_sold"})
    EXPECT_EQ(parse_csv(std::string(name) + ",b\n7,1\n9,2\n", "t.csv", {.named_ids = true}).cols(), 2)
        << name;
}

TEST(CsvText, WordsBeginWithLettersInMostCellsOrAreDates) {
  const TextTable t = parse_csv_text(
      "id,word,greek,date,comma,below,few,half,none\n"
      "a,x,\xce\xb1,2024-01-02,\"1,5\",<0.5,1,u,\nb,NA,\xce\xb2,2024-01-03,\"2,5\",<1,y,2,\n"
      "c,y1,,2024-01-04,\"3,5\",\xe2\x88\x92 3,3,,\n",
      "t.csv");
  EXPECT_EQ(columns_of_words(t), (Names{"word", "greek", "date"}));
}

TEST(CsvText, WordsMayBeginWithDigitsAndUnitsAreNoWords) {
  const TextTable t = parse_csv_text(
      "id,house,answer,weight,grade,infinite\na,1Fam,yes,5 kg,6th grade,inf\nb,2fmCon,No,7 kg,1st "
      "grade,Infinity\n",
      "t.csv");
  EXPECT_EQ(columns_of_words(t), (Names{"house", "answer", "grade"}));
  EXPECT_EQ(columns_of_yes_and_no(t), (Names{"answer"}));
}

TEST(Csv, IdsAreWrittenUnderANameOfTheirOwn) {
  const testing::TempFolder folder;
  write_csv(folder.file("t.csv"), Table{.ids = {"x"}, .columns = {"id", "a"}, .values = Matrix{{1, 2}}});
  EXPECT_EQ(testing::slurp(folder.file("t.csv")), "sample_id,id,a\nx,1,2\n");
  EXPECT_EQ(read_csv(folder.file("t.csv")).columns, (Names{"id", "a"}));
}

TEST(Csv, ColumnsMayBeLeftOutWhateverTheyHold) {
  const std::string text = "id,a,kind,b\nx,1,u,2\ny,3,\"v, w\",4\nz,5,7,\n";
  const Table t = parse_csv(text, "t.csv", {.without = {"kind", "absent"}});
  EXPECT_EQ(t.columns, (Names{"a", "b"}));
  EXPECT_EQ(t.ids, (Names{"x", "y", "z"}));
  EXPECT_EQ(t.values.topRows(2), (Matrix{{1, 2}, {3, 4}}));
  EXPECT_EQ(t.values(2, 0), 5);
  EXPECT_TRUE(std::isnan(t.values(2, 1)));
  testing::expect_message([&] { parse_csv(text, "t.csv", {.without = {"a", "b"}}); }, {"'kind'", "line 2"});
  testing::expect_message(
      [&] {
        parse_csv(text, "t.csv", {.without = {"a", "b", "kind"}});
      },
      {"t.csv", "no column is left"});
}

}  // namespace
}  // namespace bochner::csv_columns_test
