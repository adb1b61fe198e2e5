#include "bochner/tables/csv.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "bochner/random/rng.hpp"
#include "tests/support/temp_folder.hpp"

namespace bochner::csv_test {
namespace {

using Names = std::vector<std::string>;
using testing::slurp;
using testing::TempFolder;

const double nan = std::numeric_limits<double>::quiet_NaN();

void expect_same_bits(const Matrix& a, const Matrix& b) {
  ASSERT_EQ(a.rows(), b.rows());
  ASSERT_EQ(a.cols(), b.cols());
  for (Index n = 0; n < a.rows(); ++n)
    for (Index m = 0; m < a.cols(); ++m)
      EXPECT_TRUE((std::isnan(a(n, m)) && std::isnan(b(n, m))) ||
                  std::memcmp(&a(n, m), &b(n, m), sizeof(double)) == 0)
          << n << "," << m << ": " << a(n, m) << " is not " << b(n, m);
}

Table parse(std::string_view text, const CsvOptions& options = {}) {
  return parse_csv(text, "t.csv", options);
}

TEST(Csv, ReadsAPlainTable) {
  const Table t = parse("sample,a,b\ns1,1,-2.5\ns2,+3e2,.5\n");
  EXPECT_EQ(t.ids, (Names{"s1", "s2"}));
  EXPECT_EQ(t.columns, (Names{"a", "b"}));
  EXPECT_FALSE(t.ids_generated);
  EXPECT_FALSE(t.columns_generated);
  expect_same_bits(t.values, Matrix{{1, -2.5}, {300, 0.5}});
}

TEST(Csv, AcceptsEveryKindOfLineEndAndALastLineWithout) {
  const Matrix expected{{1, 2}, {3, 4}};
  for (const char* text : {"id,a,b\nx,1,2\ny,3,4\n", "id,a,b\nx,1,2\ny,3,4", "id,a,b\r\nx,1,2\r\ny,3,4\r\n",
                           "id,a,b\r\nx,1,2\r\ny,3,4", "id,a,b\rx,1,2\ry,3,4\r", "id,a,b\rx,1,2\ry,3,4",
                           "\n\nid,a,b\n\nx,1,2\n \n,,\ny,3,4\n\n\n", "\xef\xbb\xbfid,a,b\nx,1,2\ny,3,4\n"}) {
    const Table t = parse(text);
    EXPECT_EQ(t.ids, (Names{"x", "y"})) << text;
    EXPECT_EQ(t.columns, (Names{"a", "b"})) << text;
    expect_same_bits(t.values, expected);
  }
}

TEST(Csv, FindsTheDelimiter) {
  for (const char d : {',', ';', '\t', '|'}) {
    const std::string s(1, d);
    const Table t = parse("id" + s + "a b" + s + "c\nx" + s + "1" + s + "2\n");
    EXPECT_EQ(t.columns, (Names{"a b", "c"}));
    expect_same_bits(t.values, Matrix{{1, 2}});
  }
  EXPECT_EQ(parse("sep=;\nid;a,b\nx;1\n").columns, Names{"a,b"});
  EXPECT_EQ(parse("sep=.\n1\n").columns, Names{"sep=."});  // a full stop cannot be one
  EXPECT_EQ(parse("id;a,b,c\nx;1\n", {.delimiter = ';'}).columns, Names{"a,b,c"});
  EXPECT_EQ(parse("\"i,,,d\";a\nx;1\n").columns, Names{"a"});  // delimiters inside quotes do not count
}

TEST(Csv, UndoesQuotes) {
  const Table t = parse(
      "\"id\",\"a \"\"b\"\"\", \"c,d\" ,\"e\nf\"\n\"x, y\",\"1\", \"2\" ,3\n\"line\r\nend\",4,\"\",\"NA\"\n");
  EXPECT_EQ(t.columns, (Names{"a \"b\"", "c,d", "e\nf"}));
  EXPECT_EQ(t.ids, (Names{"x, y", "line\r\nend"}));
  expect_same_bits(t.values, Matrix{{1, 2, 3}, {4, nan, nan}});
  // A quote inside an unquoted cell is a character like any other.
  EXPECT_EQ(parse("id,5\" pipe\nx,1\n").columns, Names{"5\" pipe"});
}

TEST(Csv, ReadsEverySpellingOfMissing) {
  const Names spellings = {"",    "NA",   "na",   "N/A",  "n/a",  "n.a.", "N.A.", "NaN",     "nan",
                           "NAN", "-nan", "null", "NULL", "Null", "None", "none", "<NA>",    "#N/A",
                           "#NA", ".",    "-",    "--",   "?",    " ",    " NA ", "\xc2\xa0"};
  std::string header = "id,v", row = "x,1";
  for (std::size_t m = 0; m < spellings.size(); ++m) {
    header += ",c" + std::to_string(m);
    row += "," + spellings[m];
  }
  for (const std::string& text : {header + "\n" + row + "\n", header + "\n" + row + ",\"\"\n"}) {
    const Table t = parse(text.ends_with("\"\"\n") ? header + ",last\n" + row + ",\"\"\n" : text);
    EXPECT_EQ(t.values(0, 0), 1);
    for (Index m = 1; m < t.cols(); ++m)
      EXPECT_TRUE(std::isnan(t.values(0, m))) << spellings[std::size_t(m - 1)];
  }
}

TEST(Csv, RoundsNumbersCorrectly) {
  // The nearest double of each, by an independent reader (strtod of glibc, correctly rounded).
  const Names texts = {"0.1",
                       "0.3",
                       "123456789012345",
                       "1234567890123456789",
                       "0.000001",
                       "1e22",
                       "1e23",
                       "9007199254740993",
                       "2.2250738585072014e-308",
                       "4.9e-324",
                       "1.7976931348623157e308",
                       "-0",
                       "-0.0",
                       "1.",
                       "00012.50",
                       "0.1000000000000000055511151231257827",
                       "8.41e21",
                       "12345678.1234567",
                       "999999999999999",
                       "9999999999999999",
                       "0.000000000000001",
                       "5e-1",
                       "1E5",
                       "1e+5"};
  std::string header = "id", row = "x";
  for (std::size_t m = 0; m < texts.size(); ++m) {
    header += ",c" + std::to_string(m);
    row += "," + texts[m];
  }
  const Table t = parse(header + "\n" + row + "\n");
  for (std::size_t m = 0; m < texts.size(); ++m) {
    const double expected = std::strtod(texts[m].c_str(), nullptr);
    EXPECT_EQ(std::memcmp(&t.values(0, Index(m)), &expected, sizeof expected), 0) << texts[m];
  }
  const Table tiny =
      parse("id,a,b,c\nx,1e-400,-0.0001e-330,0.0000e999999999999\n");  // below the smallest double
  EXPECT_EQ(tiny.values, (Matrix{{0, 0, 0}}));
}

TEST(Csv, AgreesWithStrtodOnRandomNumbers) {
  Rng rng(1);
  std::string text = "id,a\n";
  std::vector<double> expected;
  for (int n = 0; n < 20000; ++n) {
    char cell[64];
    const double x = rng.normal() * std::pow(10.0, double(rng.below(40)) - 20);
    const int digits = int(rng.below(20));
    std::snprintf(cell, sizeof cell, rng.below(2) ? "%.*f" : "%.*e", digits, x);
    if (rng.below(3) == 0) std::snprintf(cell, sizeof cell, "%.*f", digits, rng.normal() * 1000);
    text += "s" + std::to_string(n) + "," + cell + "\n";
    expected.push_back(std::strtod(cell, nullptr));
  }
  expect_same_bits(parse(text).values, Eigen::Map<const Matrix>(expected.data(), Index(expected.size()), 1));
}

TEST(Csv, ReadsADecimalCommaWhenTold) {
  const Table t = parse("id;a;b\nx;1,5;-2\ny;\"3,25\";1e3\n", {.decimal = ','});
  expect_same_bits(t.values, Matrix{{1.5, -2}, {3.25, 1000}});
}

TEST(Csv, TakesIdsFromANamedColumn) {
  const Table t = parse("a,who,b\n1,x,2\n3,y,4\n", {.id_column = "who"});
  EXPECT_EQ(t.ids, (Names{"x", "y"}));
  EXPECT_EQ(t.columns, (Names{"a", "b"}));
  expect_same_bits(t.values, Matrix{{1, 2}, {3, 4}});
}

TEST(Csv, NumbersTheRowsOfATableWithoutIds) {
  const Table t = parse("a,b\n1,2\n,\n3,4\n", {.ids = false});
  EXPECT_EQ(t.ids, (Names{"0", "1", "2"}));
  EXPECT_TRUE(t.ids_generated);
  expect_same_bits(t.values, Matrix{{1, 2}, {nan, nan}, {3, 4}});
  expect_same_bits(parse("a\tb\n1\t2\n\t\n", {.ids = false}).values, Matrix{{1, 2}, {nan, nan}});
  const Table single = parse("yield\n1.5\nNA\n2.5\n\n");
  EXPECT_TRUE(single.ids_generated);
  EXPECT_EQ(single.columns, Names{"yield"});
  expect_same_bits(single.values, Matrix{{1.5}, {nan}, {2.5}});
}

TEST(Csv, ReadsATableWithoutHeader) {
  const Table with_ids = parse("x,1,2\ny,3,4\n", {.header = false});
  EXPECT_EQ(with_ids.ids, (Names{"x", "y"}));
  EXPECT_EQ(with_ids.columns, (Names{"0", "1"}));
  EXPECT_TRUE(with_ids.columns_generated);
  const Table values = parse("1,2\n3,4\n", {.header = false});
  EXPECT_TRUE(values.ids_generated);
  expect_same_bits(values.values, Matrix{{1, 2}, {3, 4}});
  expect_same_bits(parse("7\n8\n", {.header = false}).values, Matrix{{7}, {8}});
}

TEST(Csv, ReadsWhatRAndPandasWrite) {
  // write.table(x, sep="\t"), write.table(x, sep=","), write.csv(x), DataFrame.to_csv
  for (const char* text :
       {"\"a\"\t\"b\"\n\"r1\"\t1\t2\n\"r2\"\t3\tNA\n", "\"a\",\"b\"\n\"r1\",1,2\n\"r2\",3,NA\n",
        "\"\",\"a\",\"b\"\n\"r1\",1,2\n\"r2\",3,NA\n", ",a,b\nr1,1.0,2.0\nr2,3.0,\n"}) {
    const Table t = parse(text);
    EXPECT_EQ(t.ids, (Names{"r1", "r2"})) << text;
    EXPECT_EQ(t.columns, (Names{"a", "b"})) << text;
    expect_same_bits(t.values, Matrix{{1, 2}, {3, nan}});
  }
}

TEST(Csv, DropsTheEmptyColumnsThatExcelLeaves) {
  const Table t =
      parse("id,a,b,,\nx,1,2,,\ny,3,4,,\n,,,,\nz,5,6\n");  // Excel may also leave them out further down
  EXPECT_EQ(t.columns, (Names{"a", "b"}));
  expect_same_bits(t.values, Matrix{{1, 2}, {3, 4}, {5, 6}});
  EXPECT_EQ(parse_csv_text("id,a,,\nx,one,,\n", "t.csv").columns, Names{"a"});
}

TEST(Csv, TrimsIdsAndNames) {
  const Table t = parse("id, a ,\"b \"\n x ,1,2\n\xc2\xa0y\xc2\xa0, 3 ,4 \n");
  EXPECT_EQ(t.ids, (Names{"x", "y"}));
  EXPECT_EQ(t.columns, (Names{"a", "b"}));
  expect_same_bits(t.values, Matrix{{1, 2}, {3, 4}});
}

TEST(Csv, AcceptsNumericIds) {
  EXPECT_EQ(parse("gene,a\n1007,1\n1008,2\n").ids,
            (Names{"1007", "1008"}));                                       // integers are ids under any name
  EXPECT_EQ(parse("time,a\n0.5,1\n0.75,2\n").ids, (Names{"0.5", "0.75"}));  // fractions only under some
  EXPECT_EQ(parse("Sample_ID,a\n0.5,1\n0.75,2\n").ids, (Names{"0.5", "0.75"}));
  EXPECT_EQ(parse("depth,a\n0.5,1\n0.75,2\n", {.id_column = "depth"}).ids, (Names{"0.5", "0.75"}));
}

TEST(Csv, ReadsThousandsOfColumnsAndLongRecords) {
  const Index M = 20000;
  std::string header = "id", row = "x", other = "\"y\"";
  for (Index m = 0; m < M; ++m) {
    header += ",gene_with_a_long_name_" + std::to_string(m);
    row += "," + std::to_string(m) + ".25";
    other += ",\"" + std::to_string(m) + "\"";
  }
  std::string text = header + "\n";
  for (int n = 0; n < 20; ++n) text += row + "\n";
  for (std::size_t at = 0, n = 0; (at = text.find("\nx,", at)) != std::string::npos; ++at)
    text.replace(at + 1, 1, "x" + std::to_string(n++));
  const Table t = parse(text + other + "\n");
  ASSERT_EQ(t.cols(), M);
  ASSERT_EQ(t.rows(), 21);
  EXPECT_EQ(t.values(19, M - 1), double(M) - 0.75);
  EXPECT_EQ(t.values(20, M - 1), double(M) - 1);
  // A quoted cell of several megabytes crosses every buffer boundary.
  std::string long_id(3 << 20, 'a');
  for (std::size_t i = 0; i < long_id.size(); i += 1000) long_id[i] = i % 3000 ? '\n' : ',';
  EXPECT_EQ(parse("id,a\n\"" + long_id + "\",7\nz,8\n").ids, (Names{long_id, "z"}));
}

TEST(Csv, RecordsMayEndAnywhereInTheBuffer) {
  // The buffer is 64 kB; slide line ends, quotes and multi-byte characters over its end.
  for (int shift = 0; shift < 12; ++shift) {
    std::string text = "id,a\n";
    const std::size_t target = (std::size_t{1} << 16) - 6;
    for (int n = 0; text.size() + 30 < target; ++n) text += "s" + std::to_string(n) + ",1\n";
    text += std::string(target - text.size() - 4 + std::size_t(shift), 'p') + ",2\n";
    text += "\"q\"\"\xc3\xa9\r\n\",3\r\n\xe2\x82\xac,4";
    const Table t = parse(text);
    EXPECT_EQ(t.ids[t.ids.size() - 2], "q\"\xc3\xa9\r\n") << shift;
    EXPECT_EQ(t.ids.back(), "\xe2\x82\xac") << shift;
    EXPECT_EQ(t.values(t.rows() - 1, 0), 4) << shift;
    EXPECT_EQ(t.values(t.rows() - 2, 0), 3) << shift;
    EXPECT_EQ(t.values(t.rows() - 3, 0), 2) << shift;
  }
}

std::string gzip(std::string_view text) {
  z_stream z{};
  deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, text.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = uInt(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = uInt(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

TEST(Csv, ReadsGzip) {
  std::string text = "id,a\n";
  for (int n = 0; n < 50000; ++n) text += "s" + std::to_string(n) + "," + std::to_string(n) + "\n";
  const Matrix plain = parse(text).values;
  EXPECT_EQ(parse(gzip(text)).values, plain);
  const std::string half = text.substr(0, 100001);
  EXPECT_EQ(parse(gzip(half) + gzip(text.substr(half.size()))).values, plain);     // as bgzip writes
  EXPECT_EQ(parse(gzip(text) + gzip("") + std::string(700, '\0')).values, plain);  // padded
  testing::expect_message([&] { parse(gzip(text).substr(0, 5000)); }, {"t.csv", "cut off"});
  testing::expect_message([&] { parse(gzip(text).substr(0, 12)); }, {"t.csv", "cut off"});
  std::string damaged = gzip(text);
  damaged[damaged.size() / 2] ^= 0x55;
  testing::expect_message([&] { parse(damaged); }, {"t.csv"});
  damaged = gzip(text);
  damaged[damaged.size() - 6] ^= 0x55;  // the CRC
  testing::expect_message([&] { parse(damaged); }, {"t.csv", "gzip file is damaged"});
  testing::expect_message([&] { parse(gzip(text) + "more"); }, {"t.csv", "follows the gzip content"});
}

TEST(CsvText, KeepsCellsAsTheyAre) {
  const TextTable t = parse_csv_text("id,type,age\nx,NA,41\ny,\"a, b\",\nz, c ,n/a\n", "meta.csv");
  EXPECT_EQ(t.column("type"), (Names{"NA", "a, b", "c"}));
  const Vector age = t.numbers("age");
  EXPECT_EQ(age(0), 41);
  EXPECT_TRUE(std::isnan(age(1)) && std::isnan(age(2)));
  testing::expect_message([&] { t.column("typ"); }, {"meta.csv", "'typ'", "did you mean 'type'?"});
  testing::expect_message([&] { t.column("zzz"); }, {"meta.csv", "'type' and 'age'"});
  testing::expect_message([&] { t.numbers("type"); }, {"meta.csv", "sample 'y'", "'type'", "'a, b'"});
}

TEST(CsvWrite, RoundTripsEveryDouble) {
  const TempFolder folder;
  Rng rng(7);
  Table t;
  t.columns = {"plain", "with, comma", "with \"quotes\"", "two\nlines"};
  t.values.resize(400, 4);
  for (Index n = 0; n < t.rows(); ++n) {
    t.ids.push_back("s" + std::to_string(n) + (n % 3 ? "" : ";\t|"));
    for (Index m = 0; m < t.cols(); ++m) {
      const std::uint64_t bits = rng.bits();  // any finite double at all
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      t.values(n, m) = std::isfinite(value) ? value : nan;
    }
  }
  t.values.row(0) << 0.0, -0.0, std::numeric_limits<double>::denorm_min(), std::numeric_limits<double>::max();
  t.values.row(1) << nan, nan, nan, nan;
  for (const char* name : {"t.csv", "t.tsv", "t.csv.gz", "t.tsv.gz"}) {
    write_csv(folder.file(name), t);
    const Table back = read_csv(folder.file(name));
    EXPECT_EQ(back.ids, t.ids) << name;
    EXPECT_EQ(back.columns, t.columns) << name;
    expect_same_bits(back.values, t.values);
  }
  EXPECT_EQ(slurp(folder.file("t.csv.gz")).substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(folder.names().size(), 4u);  // and no temporary files
}

TEST(CsvWrite, RoundTripsAnyText) {
  const TempFolder folder;
  Rng rng(11);
  const Names alphabet = {"a",  "b",  " ",    ",", ";",        "\t", "|", "\"",
                          "\n", "\r", "\r\n", "'", "\xc3\xa9", "0",  "."};
  const auto nasty = [&](Index longest) {
    std::string out;
    for (Index n = rng.below(longest); n > 0; --n)
      out += alphabet[std::size_t(rng.below(Index(alphabet.size())))];
    const std::size_t first = out.find_first_not_of(" \t"), last = out.find_last_not_of(" \t");
    return first == std::string::npos ? std::string()
                                      : out.substr(first, last - first + 1);  // spaces at the ends go
  };
  for (int trial = 0; trial < 300; ++trial) {
    TextTable t;
    const Index N = 1 + rng.below(6), M = 1 + rng.below(5);
    for (Index m = 0; m < M; ++m) {
      t.columns.push_back(std::to_string(m) + "x" + nasty(6));
      t.cells.emplace_back();
      for (Index n = 0; n < N; ++n) t.cells.back().push_back(nasty(8));
    }
    for (Index n = 0; n < N; ++n) t.ids.push_back(nasty(6) + "y" + std::to_string(n));
    const std::string path = folder.file(trial % 2 ? "t.csv" : "t.tsv");
    write_csv(path, t);
    const TextTable back = read_csv_text(path);
    ASSERT_EQ(back.ids, t.ids) << slurp(path);
    ASSERT_EQ(back.columns, t.columns) << slurp(path);
    ASSERT_EQ(back.cells, t.cells) << slurp(path);
  }
}

TEST(CsvWrite, WritesTheExpectedBytes) {
  const TempFolder folder;
  write_csv(folder.file("t.csv"), Table{{"x", "y z"}, {"a", "b,c"}, Matrix{{1, 0.1}, {nan, -1e300}}},
            "sample");
  EXPECT_EQ(slurp(folder.file("t.csv")), "sample,a,\"b,c\"\nx,1,0.1\ny z,,-1e+300\n");
  write_csv(folder.file("t.tsv"), TextTable{"", {"x"}, {"a", "b"}, {{"one"}, {"t\two"}}});
  EXPECT_EQ(slurp(folder.file("t.tsv")), "id\ta\tb\nx\tone\t\"t\two\"\n");
  EXPECT_EQ(read_csv_text(folder.file("t.tsv")).column("b"), Names{"t\two"});
  EXPECT_THROW(write_csv(folder.file("u.csv"), Table{{"x"}, {"a"}, Matrix(2, 1)}), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::csv_test
