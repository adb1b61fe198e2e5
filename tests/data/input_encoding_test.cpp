#include "bochner/data/input_encoding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"
#include "src/data/input_encoding_group.hpp"

namespace bochner::input_encoding_test {
namespace {

using Names = std::vector<std::string>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

RawColumn text(const std::string& name, Names cells) {
  return {.name = name, .cells = std::move(cells), .numbers = {}};
}
RawColumn number(const std::string& name, Vector values) {
  return {.name = name, .cells = {}, .numbers = std::move(values)};
}
RawTable bikes() {
  return {.name = "bikes.csv",
          .columns = {text("day", {"Mon", "Tue", "", "Mon"}), number("temp", Vector{{1, nan, 3, 5}}),
                      text("date", {"1970-01-02", "1970-01-03", "NA", "1970-01-05"}),
                      text("count", {"4", "5.5", "6", "?"}), number("wind", Vector{{1, 2, 3, 4}})},
          .ids = {}};
}

std::string message(const RawTable& table, const EncodingOptions& options = {}) {
  try {
    learn_encoding(table, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(InputEncoding, EveryKindOfColumn) {
  const InputEncoding e = learn_encoding(bikes(), {});
  EXPECT_EQ(e.names(), (Names{"day=Mon", "day=Tue", "day missing", "temp", "temp missing", "date",
                              "date missing", "count", "count missing", "wind"}));
  Names notes;
  const Matrix X = encode(e, bikes(), notes);
  const Matrix expected{{1, 0, 0, 1, 0, 1, 0, 4, 0, 1},
                        {0, 1, 0, 3, 1, 2, 0, 5.5, 0, 2},
                        {0, 0, 1, 3, 0, 7.0 / 3, 1, 6, 0, 3},
                        {1, 0, 0, 5, 0, 4, 0, 15.5 / 3, 1, 4}};
  EXPECT_LT((X - expected).cwiseAbs().maxCoeff(), 1e-15);
  EXPECT_TRUE(notes.empty());
  EXPECT_EQ(
      encoding_text(e),
      "categories: 'day' (2 levels); dates, as days since 1970-01-01: 'date'; missing values, which have an "
      "indicator column of their own: 'day', 'temp', 'date', 'count'");
}

TEST(InputEncoding, PlainNumbersAreThemselves) {
  const Matrix X{{1, 2}, {3, 4}};
  const InputEncoding e = learn_encoding(raw_table("x", X, {"a", "b"}), {});
  EXPECT_TRUE(e.plain());
  EXPECT_EQ(encode_numbers(e, X), X);
  EXPECT_EQ(encoding_text(e), "");
}

TEST(InputEncoding, NewLevelsAreNoneOfTheOld) {
  const InputEncoding e = learn_encoding({.name = "t", .columns = {text("day", {"Mon", "Tue"})}}, {});
  Names notes;
  EXPECT_EQ(encode(e, {.name = "t", .columns = {text("day", {"Sun", "Tue", "", "Sun"})}}, notes),
            (Matrix{{0, 0}, {0, 1}, {0, 0}, {0, 0}}));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("'day': 3 rows"), std::string::npos) << notes[0];
  EXPECT_NE(notes[0].find("'Sun'"), std::string::npos) << notes[0];
}

// A number that has always been there has no meaning for its absence: the row has no prediction.
TEST(InputEncoding, NumbersThatWereNeverMissingStayMissing) {
  const InputEncoding e = learn_encoding(bikes(), {});
  RawTable table = bikes();
  table.columns[4].numbers(2) = nan;
  Names notes;
  const Matrix X = encode(e, table, notes);
  EXPECT_TRUE(std::isnan(X(2, 9)));
  EXPECT_TRUE(X.topRows(2).allFinite());
}

TEST(InputEncoding, NumbersMayBeCategoriesInTheirOwnOrder) {
  const RawTable table{.name = "t", .columns = {number("month", Vector{{10, 2, 1, 2}})}};
  const InputEncoding e = learn_encoding(table, {.categorical = {"month"}});
  EXPECT_EQ(e.names(), (Names{"month=1", "month=2", "month=10"}));
  Names notes;
  EXPECT_EQ(encode(e, {.name = "t", .columns = {text("month", {"2.0", "10"})}}, notes),
            (Matrix{{0, 1, 0}, {0, 0, 1}}));
}

TEST(InputEncoding, AtMostAHundredLevels) {
  Names cells;
  for (int level = 0; level < 130; ++level)
    for (int n = 0; n <= (level < 30 ? 1 : 2); ++n) cells.push_back("level " + std::to_string(level));
  const InputEncoding e = learn_encoding({.name = "t", .columns = {text("a", cells)}}, {});
  EXPECT_EQ(e.width(), 100);
  EXPECT_EQ(std::count(e.columns[0].levels.begin(), e.columns[0].levels.end(), "level 29"), 0);
  Names notes;
  const Matrix X = encode(e, {.name = "t", .columns = {text("a", cells)}}, notes);
  EXPECT_EQ(X.row(0).sum(), 0);
  EXPECT_EQ(X.row(cells.size() - 1).sum(), 1);
}

TEST(InputEncoding, RefusesWhatIsNeither) {
  const auto one = [](Names cells) {
    return RawTable{.name = "t.csv", .columns = {text("a", std::move(cells))}};
  };
  EXPECT_NE(message(one({"1", "<0.5", "2"})).find("t.csv, row 2, column 'a': '<0.5' is a limit"),
            std::string::npos);
  EXPECT_NE(message(one({"1,5", "2,5"})).find("decimal comma"), std::string::npos);
  EXPECT_NE(message(one({"2020-01-01", "31/12/2020"})).find("row 2, column 'a': '31/12/2020' is not a date"),
            std::string::npos);
  EXPECT_NE(message(one({"", "NA"})).find("no row has a value"), std::string::npos);
  Names ids;
  for (int n = 0; n < 40; ++n) ids.push_back("volvo" + std::to_string(n));
  const EncodingOptions options{
      .remedy = [](const Names& c, bool unique) { return (unique ? "use --id " : "use --drop ") + c[0]; }};
  EXPECT_NE(message(one(ids), options).find("40 distinct texts in 40 rows"), std::string::npos);
  EXPECT_NE(message(one(ids), options).find("use --id a"), std::string::npos);
  EXPECT_NE(message(one({"x", "y"}), {.categorical = {"b"}}).find("no column 'b'"), std::string::npos);
}

// Cells of one column, which is a category, or else is refused.
TEST(InputEncoding, TextWithDigitsIsACategory) {
  const auto one = [](Names cells) {
    return RawTable{.name = "t.csv", .columns = {text("a", std::move(cells))}};
  };
  const std::vector<Names> words{{"1st", "2nd"},
                                 {"18-25", "26-35", "65+", "<18"},
                                 {"18\xe2\x80\x93"
                                  "25",
                                  "26\xe2\x80\x93"
                                  "35"},
                                 {"4wd", "f", "r"},
                                 {"10+ years", "< 1 year", ""},
                                 {"08:00", "20:00:00"},
                                 {"1Story", "2Story"},
                                 {"2001Q1", "2001Q2"},
                                 {"2020-01", "2020-02"},
                                 {"police", "6th grade teacher"},
                                 {"-", "+"},
                                 {"1\xc2\xba", "2\xc2\xba"}};
  for (const Names& cells : words) {
    ASSERT_EQ(message(one(cells)), "") << cells[0];
    EXPECT_EQ(learn_encoding(one(cells), {}).columns[0].kind, InputKind::category) << cells[0];
  }
  const std::string mixed = message(one({"5e3x", "6"}));  // a number among words
  EXPECT_NE(mixed.find("row 1, column 'a': '5e3x' is not a number"), std::string::npos) << mixed;
  EXPECT_EQ(mixed.find("table of labels"), std::string::npos) << mixed;
  for (const char* cell : {"1,5", "5 %", "5%", "<0.5", "\xe2\x89\xa5 3", "$5", "5 \xe2\x82\xac",
                           "\xc2\xa3"
                           "5",
                           "-$5", "1,5e-3",
                           "\xe2\x88\x92"
                           "5",
                           "1.000.000", "1 000", "(5)", "1e999", "31/12/2020", "31.12.2020", "2020/12/31"})
    EXPECT_NE(message(one({cell, cell})).find("row 1, column 'a'"), std::string::npos) << cell;
}

TEST(InputEncoding, ListsAllColumnsThatLookLikeNamesOfRows) {
  RawTable table{.name = "t.csv", .columns = {text("who", {}), text("kind", {}), text("home", {})}};
  for (int n = 0; n < 40; ++n) {
    table.columns[0].cells.push_back("luke" + std::to_string(n));
    table.columns[1].cells.push_back(n % 2 ? "droid" : "human");
    table.columns[2].cells.push_back("planet" + std::to_string(n / 2 * 2 + (n > 10 ? n % 2 : 0)));
  }
  const std::string found = message(table);
  EXPECT_NE(found.find("2 columns look like names of rows: 'who' (40 in 40 rows"), std::string::npos)
      << found;
  EXPECT_NE(found.find("'home' ("), std::string::npos) << found;
  EXPECT_EQ(found.find("'kind'"), std::string::npos) << found;
}

TEST(InputEncoding, ComesBackFromAModelFile) {
  const InputEncoding e = learn_encoding(bikes(), {});
  const InputEncoding back = detail::input_encoding_from(detail::input_encoding_group(e));
  EXPECT_EQ(back.names(), e.names());
  Names notes;
  EXPECT_EQ(encode(back, bikes(), notes), encode(e, bikes(), notes));
  const InputEncoding without_levels{.columns = {{.name = "a", .kind = InputKind::category}}};
  EXPECT_THROW(detail::input_encoding_from(detail::input_encoding_group(without_levels)), InputError);
}

}  // namespace
}  // namespace bochner::input_encoding_test
