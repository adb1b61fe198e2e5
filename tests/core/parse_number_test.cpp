#include "bochner/core/parse_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace bochner::parse_number_test {
namespace {

TEST(ParseNumber, ReadsTheWholeText) {
  EXPECT_EQ(parse_number("1.5"), 1.5);
  EXPECT_EQ(parse_number("-2e3"), -2000);
  EXPECT_EQ(parse_number("+7"), 7);
  EXPECT_EQ(parse_number("+.5E+1"), 5);
  EXPECT_EQ(parse_number("0.1"), 0.1);
  EXPECT_EQ(parse_number("1.7976931348623157e308"), std::numeric_limits<double>::max());
  for (const char* text : {"", "+", "-", "+-1", "++1", "1 ", " 1", "1,5", "1x", "0x10", "1e", "e5", "one"})
    EXPECT_FALSE(parse_number(text)) << '"' << text << '"';
}

TEST(ParseNumber, TooLargeIsNoNumberAndTooSmallIsZero) {
  double value = 3;
  for (const char* text : {"1e400", "-1e309", "1e99999999999999999999", "100e307", "0.001e312"}) {
    EXPECT_EQ(read_number(text, value), NumberText::overflow) << text;
    EXPECT_FALSE(parse_number(text)) << text;
  }
  EXPECT_EQ(value, 3);  // untouched
  for (const char* text : {"1e-400", "1e-99999999999999999999", "0.00001e-320", "+1e-330"}) {
    ASSERT_EQ(parse_number(text), 0) << text;
    EXPECT_FALSE(std::signbit(*parse_number(text))) << text;
  }
  ASSERT_EQ(parse_number("-1e-400"), 0);
  EXPECT_TRUE(std::signbit(*parse_number("-1e-400")));
}

TEST(ParseNumber, OnlyFiniteNumbersAreNumbers) {
  double value = 3;
  EXPECT_EQ(read_number("-inf", value), NumberText::infinite);
  EXPECT_EQ(value, -std::numeric_limits<double>::infinity());
  EXPECT_EQ(read_number("nan", value), NumberText::not_a_number);
  for (const char* text : {"inf", "+infinity", "-INF", "nan", "NaN", "-nan"})
    EXPECT_FALSE(parse_number(text)) << text;
}

TEST(ScanNumber, StopsBehindTheNumber) {
  const std::string text = "12.5;3";
  double value = 0;
  EXPECT_EQ(scan_number(text.data(), text.data() + text.size(), value), text.data() + 4);
  EXPECT_EQ(value, 12.5);
  for (const std::string none : {"", ";3", "nan;", "inf", "1e999"})
    EXPECT_EQ(scan_number(none.data(), none.data() + none.size(), value), nullptr) << none;
}

TEST(ParseInteger, HoldsOrRefuses) {
  EXPECT_EQ(parse_integer<int>("+12"), 12);
  EXPECT_EQ(parse_integer<int>("-12"), -12);
  EXPECT_EQ(parse_integer<std::int8_t>("127"), 127);
  EXPECT_FALSE(parse_integer<std::int8_t>("128"));
  EXPECT_EQ(parse_integer<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_integer<std::uint32_t>("1fA", 16), 0x1FAu);
  for (const char* text : {"", "+", "1.0", "1e3", "+-1", " 1", "1 ", "0x1"})
    EXPECT_FALSE(parse_integer<int>(text)) << '"' << text << '"';
  for (const char* text : {"+1", "-1", "-0"}) EXPECT_FALSE(parse_integer<std::uint64_t>(text)) << text;
}

}  // namespace
}  // namespace bochner::parse_number_test
