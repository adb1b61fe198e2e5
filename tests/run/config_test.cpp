#include "bochner/run/config.hpp"

#include <cmath>
#include <limits>

#include "tests/support/temp_folder.hpp"

namespace bochner::config_test {

namespace {

using testing::expect_message;

TEST(Config, ReadsEveryKindInTheOrderOfTheFile) {
  const Config config = parse_config(
      "# a comment\nzeta = 3\nalpha = true # more\nnoise = 0.1\n\nname = 'c:\\data'\nview = [\"a=1.csv\",\n  "
      "'b=2.csv']\n",
      "job.toml");
  ASSERT_EQ(config.entries.size(), 5u);
  EXPECT_EQ(config.entries[0].key, "zeta");
  EXPECT_EQ(std::get<std::int64_t>(config.entries[0].value), 3);
  EXPECT_EQ(config.entries[0].line, 2);
  EXPECT_EQ(std::get<bool>(config.entries[1].value), true);
  EXPECT_EQ(std::get<double>(config.entries[2].value), 0.1);
  EXPECT_EQ(std::get<std::string>(config.entries[3].value), "c:\\data");
  EXPECT_EQ(std::get<std::vector<std::string>>(config.entries[4].value),
            (std::vector<std::string>{"a=1.csv", "b=2.csv"}));
  EXPECT_EQ(config.entries[4].line, 7);
  EXPECT_EQ(config.where(config.entries[4]), "job.toml, line 7");
  EXPECT_TRUE(parse_config("", "empty.toml").entries.empty());
}

TEST(Config, TakesWhatTomlAllows) {
  const auto value = [](const std::string& text) {
    return parse_config("\xEF\xBB\xBF\t\"a key\"\t=\t" + text, "t").entries.at(0).value;
  };
  EXPECT_EQ(value("1_000\r\n# end"), ConfigValue(std::int64_t{1000}));
  EXPECT_EQ(value("+7"), ConfigValue(std::int64_t{7}));
  EXPECT_EQ(value("-0"), ConfigValue(std::int64_t{0}));
  EXPECT_EQ(value("-9223372036854775808"), ConfigValue(std::numeric_limits<std::int64_t>::min()));
  EXPECT_EQ(value("6.02_2E+2_3"), ConfigValue(6.022e23));
  EXPECT_EQ(value("1e06"), ConfigValue(1e6));
  EXPECT_EQ(value("+inf"), ConfigValue(std::numeric_limits<double>::infinity()));
  EXPECT_EQ(value("'a \"b\" \\n # c' # comment"), ConfigValue(std::string("a \"b\" \\n # c")));
  EXPECT_EQ(value("\"\\u00e9\\U0001F9EC\\t\\\\ '#'\""),
            ConfigValue(std::string("\xc3\xa9\xf0\x9f\xa7\xac\t\\ '#'")));
  EXPECT_EQ(value("[ # none\n\n]"), ConfigValue(std::vector<std::string>{}));
  EXPECT_EQ(value("[\r\n 'x' # first\r\n ,\"y\",\n]"), ConfigValue(std::vector<std::string>{"x", "y"}));
}

TEST(Config, WhatIsWrittenReadsBackToTheLastBit) {
  const std::vector<ConfigEntry> entries{
      {"flag", false},
      {"whole", std::int64_t{-9223372036854775807}},
      {"third", 1.0 / 3},
      {"integral", 2.0},
      {"tiny", 5e-324},
      {"huge", std::numeric_limits<double>::max()},
      {"minus-zero", -0.0},
      {"infinite", -std::numeric_limits<double>::infinity()},
      {"text", std::string("quote \" backslash \\ line\nend tab\t bell\x07 del\x7f gr\xc3\xbc\xc3\x9f")},
      {"empty", std::string()},
      {"list", std::vector<std::string>{"a,b", "", "]"}},
      {"none", std::vector<std::string>{}}};
  const std::string text = format_config(entries, "first line\nsecond line");
  EXPECT_TRUE(text.starts_with("# first line\n# second line\nflag = false\n")) << text;
  const Config back = parse_config(text, "back.toml");
  ASSERT_EQ(back.entries.size(), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(back.entries[i].key, entries[i].key);
    EXPECT_EQ(back.entries[i].value, entries[i].value) << entries[i].key;
    EXPECT_EQ(back.entries[i].line, static_cast<Index>(i) + 3);
  }
  EXPECT_TRUE(std::signbit(std::get<double>(back.entries[6].value)));
  EXPECT_TRUE(
      std::isnan(std::get<double>(parse_config(format_config({{"x", std::nan("")}}), "n").entries[0].value)));
}

TEST(Config, RefusesWhatItCouldNotWriteBack) {
  EXPECT_THROW(format_config({{"two words", true}}), std::invalid_argument);
  EXPECT_THROW(format_config({{"", true}}), std::invalid_argument);
  EXPECT_THROW(format_config({{"text", std::string("\xff")}}), std::invalid_argument);
}

TEST(Config, BadFilesGiveOneMessage) {
  const auto refusal = [](const std::string& bytes, const std::vector<std::string>& parts) {
    expect_message([&] { parse_config(bytes, "job.toml"); }, parts);
  };
  refusal("a = 1\nb 2\n", {"job.toml, line 2, column 3", "'=' is missing after 'b'"});
  refusal("a = 1\n\na = 2\n", {"line 3, column 1", "'a' is already set in line 1"});
  refusal("a =\n", {"line 1, column 4", "a value is missing"});
  refusal("= 3\n", {"line 1, column 1", "a key should stand here"});
  refusal("a = 1 b = 2\n", {"line 1, column 7", "the line should end"});
  refusal("a = 'x\n", {"line 1, column 5", "the closing ' is missing"});
  refusal("a = \"x'\r\n\"", {"line 1, column 5", "the closing \" is missing"});
  refusal("path = \"C:\\data\"\n", {"line 1, column 11", "backslash", "'...'"});
  refusal("a = \"\\uD800\"\n", {"line 1", "Unicode"});
  refusal("a = \"\\u12\"\n", {"line 1", "4 hexadecimal digits"});
  refusal("a = \"\x01\"\n", {"control character"});
  refusal(std::string("# \0\n", 4), {"line 1, column 3", "control character"});
  refusal("a = \"\"\"x\ny\"\"\"\n", {"line 1", "over several lines"});
  refusal("a = 1\n[section]\nb = 2\n", {"line 2, column 1", "section"});
  refusal("a = {b = 1}\n", {"line 1", "section"});
  refusal("a.b = 1\n", {"line 1, column 2", "no dots"});
  refusal("day = 2024-01-31\n", {"line 1, column 7", "'2024-01-31'", "quotes"});
  refusal("name = demo\n", {"line 1, column 8", "'demo' is neither", "quotes"});
  for (const char* number :
       {"0x1F", "007", "1_", "_1", "1__0", "1.", ".5", "1e", "1e+", "- 1", "+-1", "Inf", "True", "1,5"})
    refusal(std::string("a = ") + number, {"job.toml, line 1"});
  refusal("a = 9223372036854775808\n", {"beyond the numbers"});
  refusal("a = 1e400\n", {"beyond the numbers"});
  refusal("a = 1\nview = [\n 'x',\n 3]\n", {"line 4, column 2", "texts only"});
  refusal("view = ['x' 'y']\n", {"line 1, column 13", "comma"});
  refusal("view = ['x',\n", {"closing ]"});
  refusal("view = ['x'", {"closing ]"});
  refusal("\xff\xfe", {"job.toml, line 1", "UTF-8"});
  refusal("# fine\na = '\xe4'\n", {"job.toml, line 2", "UTF-8"});
  refusal(std::string(5000, '['), {"job.toml", "section"});
  refusal("a = " + std::string(5000, '['), {"job.toml", "texts only"});
  refusal("\xcb\xa5\x36\x7a", {"job.toml, line 1", "key"});  // undefined behaviour in toml++ 3.3
  refusal(std::string(2'000'000, '\n'), {"job.toml", "too much"});
  expect_message([] { read_config("/nowhere/job.toml"); }, {"/nowhere/job.toml", "no folder"});
  const testing::TempFolder folder;
  expect_message([&] { read_config(folder.file("")); }, {"folder"});
  EXPECT_EQ(read_config(folder.write("good.toml", "a = 1\n")).entries.size(), 1u);
}

}  // namespace

}  // namespace bochner::config_test
