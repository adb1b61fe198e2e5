#include <gtest/gtest.h>

#include "bochner/tables/csv.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::csv_errors_test {
namespace {

using testing::expect_message;
using testing::TempFolder;

// Everything that can be wrong with a table, and the words that tell the analyst what and where.
struct Bad {
  const char* what;
  std::string text;
  std::vector<std::string> parts;
  CsvOptions options = {};
};

const std::string nul(1, '\0');

const std::vector<Bad> bad = {
    // what Excel leaves on day one
    {"decimal comma",
     "id;a;b\nx;1;2\ny;3;4,5\n",
     {"line 3", "column 3 'b'", "'4,5'", "decimal comma", "decimal points"}},
    {"decimal comma in quotes", "id,a\nx,\"1,5\"\n", {"line 2", "column 2 'a'", "decimal comma"}},
    {"decimal comma splits the cell",
     "id,a\nx,1,5\n",
     {"line 2", "3 fields", "has 2", "decimals with a point"}},
    {"thousands",
     "id,a\nx,\"1,234,567\"\n",
     {"line 2", "column 2 'a'", "'1,234,567'", "thousands separators"}},
    {"thousands and point", "id,a\nx,\"1,234.5\"\n", {"line 2", "thousands separators"}},
    {"German thousands", "id;a\nx;1.234,5\n", {"line 2", "'1.234,5'", "thousands separators"}},
    {"French thousands", "id;a\nx;1 234,5\n", {"line 2", "thousands separators"}},
    {"French thousands, hard spaces",
     "id;a\nx;1\xc2\xa0"
     "234\n",
     {"line 2", "thousands separators"}},
    {"Swiss thousands", "id;a\nx;1'234\n", {"line 2", "thousands separators"}},
    {"ambiguous comma", "id;a\nx;1,234\n", {"line 2", "'1,234'", "thousands separator or a decimal comma"}},
    {"percent", "id,a\nx,12%\n", {"line 2", "'12%'", "percentage"}},
    {"detection limit", "id,a\nx,<0.5\n", {"line 2", "'<0.5'", "limit"}},
    {"Excel error", "id,a\nx,#DIV/0!\n", {"line 2", "'#DIV/0!'", "spreadsheet"}},
    {"booleans", "id,a\nx,TRUE\n", {"line 2", "'TRUE'", "1 and 0"}},
    {"date", "id,a\nx,2021-03-04\n", {"line 2", "'2021-03-04'", "date"}},
    {"day first", "id,a\nx,4.3.2021\n", {"line 2", "date"}},
    {"typographic minus",
     "id,a\nx,\xe2\x88\x92"
     "1.5\n",
     {"line 2", "minus"}},
    {"text column", "id,a,type\nx,1,tumor\n", {"line 2", "column 3 'type'", "'tumor'", "labels"}},
    {"title above the header", "Experiment 4\nid,a,b\nx,1,2\n", {"line 2", "3 fields", "has 1", "title"}},
    {"genes turned to dates",
     "id,1-Mar,b,1-Mar\nx,1,2,3\n",
     {"line 1", "columns 2 and 4", "'1-Mar'", "MARCH1"}},
    {"trailing delimiters", "a;b\nx;1;\ny;2;\n", {"always empty", "end of the rows"}},
    {"no header", "1,2,3\n4,5,6\n", {"line 1", "header", "column names"}},
    {"no ids", "height,width\n1.5,2\n1.7,3\n", {"'height'", "'1.5'", "column of ids"}},
    {"no ids, repeated integers", "a,b\n1,2\n1,3\n", {"lines 2 and 3", "'1'", "not a column of ids"}},
    // encodings
    {"UTF-16", std::string("\xff\xfei\0d\0", 6), {"UTF-16", "CSV UTF-8"}},
    {"UTF-16, big endian", std::string("\xfe\xff\0i\0d", 6), {"UTF-16", "CSV UTF-8"}},
    {"UTF-16 without mark", std::string("i\0d\0,\0a\0", 8), {"line 1", "NUL", "UTF-16"}},
    {"Latin-1", "id,a\nx,1\nJos\xe9,2\n", {"line 3", "byte 4", "0xe9", "Windows-1252", "iconv"}},
    {"overlong", "id,a\n\xc0\xaf,2\n", {"line 2", "not UTF-8"}},
    {"surrogate", "id,a\n\xed\xa0\x80,2\n", {"line 2", "not UTF-8"}},
    {"sequence cut off at the end", "id,a\nx,1\n\xe2\x82", {"line 3", "not UTF-8"}},
    {"NUL", "id,a\nx,1\ny" + nul + ",2\n", {"line 3", "NUL"}},
    // structure
    {"empty", "", {"empty"}},
    {"blank lines only", "\n \n\r\n", {"empty"}},
    {"byte-order mark only", "\xef\xbb\xbf", {"empty"}},
    {"header only", "id,a,b\n", {"header", "no row"}},
    {"sep and nothing", "sep=;\n", {"sep="}},
    {"too few fields", "id,a,b\nx,1,2\n\ny,3\n", {"line 4", "2 fields", "header has 3"}},
    {"too many fields", "id,a\nx,1\ny,2,3\n", {"line 3", "3 fields", "header has 2"}},
    {"cut off", "id,a,b\nx,1,2\ny,3", {"line 3", "2 fields", "cut off"}},
    {"ragged without header", "x,1,2\ny,3\n", {"line 2", "2 fields", "first row has 3"}, {.header = false}},
    {"ragged behind an embedded line end", "id,a\n\"x\ny\",1\nz,2,3\n", {"line 4", "3 fields"}},
    {"open quote", "id,a\nx,1\n\"y,2\nz,3\n", {"line 3", "quote", "never closes"}},
    {"open quote in the header", "id,\"a\nx,1\n", {"line 1", "quote", "never closes"}},
    {"text behind a quote", "id,a\n\"x\"y,1\n", {"line 2", "'y'", "closing quote"}},
    {"repeated id", "id,a\nx,1\ny,2\nx,3\n", {"lines 2 and 4", "'x'", "unique"}},
    {"repeated id after trimming", "id,a\nx,1\n x,2\n", {"lines 2 and 3", "'x'"}},
    {"no id", "id,a\nx,1\n,2\n", {"line 3", "no sample id", "column 1 'id'"}},
    {"repeated column", "id,a,b,a\nx,1,2,3\n", {"line 1", "columns 2 and 4", "'a'", "unique"}},
    {"column without name", "id,a,,b\nx,1,2,3\n", {"line 1", "column 3", "no name"}},
    {"last column without name but with values", "id,a,\nx,1,2\n", {"line 1", "column 3", "no name"}},
    {"no names", "id,,\nx,1,2\n", {"no column", "name"}},
    {"unknown id column",
     "sample,a\nx,1\n",
     {"line 1", "'smaple'", "did you mean 'sample'?"},
     {.id_column = "smaple"}},
    {"nothing but ids", "who\nx\n", {"'who'"}, {.id_column = "who"}},
    {"rows that end before the ids, behind columns without a name",
     "a,b,,,who\n1,2,,,x\n1,2,\n",
     {"line 3", "3 fields", "has 5"},
     {.id_column = "who"}},
    {"blank line without ids", "a\n1\n\n2\n", {"line 3", "empty", "NA"}},
    // numbers
    {"inf", "id,a,b\nx,1,2\ny,3,inf\n", {"line 3", "column 3 'b'", "'inf'", "infinite"}},
    {"-Infinity", "id,a\nx,-Infinity\n", {"line 2", "infinite"}},
    {"overflow", "id,a\nx,1e309\n", {"line 2", "'1e309'", "too large"}},
    {"overflow by digits", "id,a\nx,-" + std::string(400, '9') + "\n", {"line 2", "too large"}},
    {"overflow by exponent", "id,a\nx,1e99999999999999999999\n", {"line 2", "too large"}},
    {"two numbers in a cell", "id,a\nx,1 2\n", {"line 2", "'1 2'", "not a number"}},
    {"hexadecimal", "id,a\nx,0x10\n", {"line 2", "not a number"}},
    {"Fortran exponent", "id,a\nx,1.0D+02\n", {"line 2", "not a number"}},
    {"double sign", "id,a\nx,+-1\n", {"line 2", "not a number"}},
    {"nan with payload", "id,a\nx,nan(1)\n", {"line 2", "not a number"}},
    {"control characters are shown, not sent", "id,a\nx,\"a\nb\x01\"\n", {"line 2", "a\\nb\\x01"}},
    {"point where a comma was announced",
     "id;a\nx;1.5\n",
     {"line 2", "'1.5'", "decimal ','"},
     {.decimal = ','}},
    // other formats under the name of a table
    {"xlsx", "PK\x03\x04...[Content_Types].xml", {"Excel", "CSV UTF-8"}},
    {"xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", {"Excel", "CSV UTF-8"}},
    {"zip", "PK\x03\x04......a.csv", {"zip", "unpack"}},
    {"parquet", "PAR1....", {"Parquet", "to_csv"}},
    {"xz",
     "\xfd"
     "7zXZ",
     {"xz", "unpack"}},
    {"pickle", "\x80\x04\x95....", {"pickle"}},
    {"npy", "\x93NUMPY\x01", {"NumPy", ".npy"}},
    {"HDF5", "\x89HDF\r\n\x1a\n", {"HDF5", ".h5"}},
    {"web page", "<!DOCTYPE html>", {"web page"}},
};

TEST(CsvErrors, EachIsOneMessageThatNamesThePlace) {
  for (const Bad& b : bad) {
    SCOPED_TRACE(b.what);
    std::vector<std::string> parts = b.parts;
    parts.push_back("some table.csv");
    expect_message([&] { parse_csv(b.text, "some table.csv", b.options); }, parts);
  }
}

TEST(CsvErrors, TextTablesShareTheStructuralOnes) {
  for (const Bad& b : bad) {
    SCOPED_TRACE(b.what);
    try {
      parse_csv_text(b.text, "some table.csv", b.options);
    } catch (const InputError& error) {
      EXPECT_TRUE(testing::is_one_message(error.what()));
    }
  }
}

TEST(CsvErrors, LongCellsAreCut) {
  const std::string text = expect_message(
      [] { parse_csv("id,a\nx," + std::string(100000, 'q') + "\n", "t.csv"); }, {"line 2", "qqqq...'"});
  EXPECT_LT(text.size(), 300u);
}

TEST(CsvErrors, EndlessLinesAreRefused) {
  std::string text(300 << 20, '7');  // longer than any line may be
  expect_message([&] { parse_csv(text, "t.csv"); }, {"t.csv, line 1", "longer than"});
}

TEST(CsvErrors, FilesThatCannotBeOpened) {
  const TempFolder folder;
  folder.write("expression.csv", "id,a\nx,1\n");
  folder.write("other.txt", "");
  expect_message([&] { read_csv(folder.file("expresion.csv")); },
                 {"expresion.csv", "did you mean 'expression.csv'?"});
  expect_message([&] { read_csv(folder.file("zebra.csv")); }, {"zebra.csv", "no such file"});
  expect_message([&] { read_csv(folder.file("no/such/folder.csv")); }, {"there is no folder", "/no'"});
  expect_message([&] { read_csv(folder.file("")); }, {"folder", "file in it"});
  expect_message([&] { read_csv(folder.file("expression.csv/a.csv")); }, {"a.csv"});
  expect_message([&] { read_csv(""); }, {"name of the file"});
  expect_message([&] { read_csv(std::string("a\0b", 3)); }, {"NUL"});
  expect_message([&] { read_csv(folder.file(std::string(5000, 'x'))); }, {"cannot be read"});
  expect_message([&] { read_csv(folder.file("two\nlines.csv")); }, {"two\\nlines.csv"});
  if (::geteuid() != 0) {  // root may read everything
    std::filesystem::permissions(folder.file("expression.csv"), std::filesystem::perms::none);
    expect_message([&] { read_csv(folder.file("expression.csv")); }, {"no permission"});
  }
}

TEST(CsvErrors, WrongOptionsAreArguments) {
  EXPECT_THROW(parse_csv("id,a\nx,1\n", "t", {.delimiter = '"'}), std::invalid_argument);
  EXPECT_THROW(parse_csv("id,a\nx,1\n", "t", {.delimiter = ',', .decimal = ','}), std::invalid_argument);
  EXPECT_THROW(parse_csv("id,a\nx,1\n", "t", {.decimal = ';'}), std::invalid_argument);
  EXPECT_THROW(parse_csv("id,a\nx,1\n", "t", {.header = false, .id_column = "id"}), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::csv_errors_test
