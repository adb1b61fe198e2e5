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
  EXPECT_NE(message(one({"2020-01-01", "31/12/2020"})).find("row 1"), std::string::npos);
  EXPECT_NE(message(one({"", "NA"})).find("no row has a value"), std::string::npos);
  Names ids;
  for (int n = 0; n < 40; ++n) ids.push_back("volvo" + std::to_string(n));
  const EncodingOptions options{.remedy = [](const std::string& c) { return "use --id " + c; }};
  EXPECT_NE(message(one(ids), options).find("40 distinct texts in 40 rows"), std::string::npos);
  EXPECT_NE(message(one(ids), options).find("use --id a"), std::string::npos);
  EXPECT_NE(message(one({"x", "y"}), {.categorical = {"b"}}).find("no column 'b'"), std::string::npos);
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
