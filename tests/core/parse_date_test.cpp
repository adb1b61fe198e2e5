#include "bochner/core/parse_date.hpp"

#include <gtest/gtest.h>

namespace bochner::parse_date_test {
namespace {

// Python: (datetime.fromisoformat(t) - datetime(1970, 1, 1)) / timedelta(days=1)
TEST(ParseDate, PinnedDays) {
  EXPECT_EQ(parse_date("1970-01-01"), 0);
  EXPECT_EQ(parse_date("2000-02-29"), 11016);
  EXPECT_EQ(parse_date("1899-12-31"), -25568);
  EXPECT_EQ(parse_date("2015-06-15 12:00"), 16601.5);
  EXPECT_EQ(parse_date("2015-06-15T06:00:00Z"), 16601.25);
  EXPECT_DOUBLE_EQ(*parse_date("2015-06-15T00:30:00+01:00"), 16601 - 1.0 / 48);
  EXPECT_DOUBLE_EQ(*parse_date("2015-06-15 00:00:43.2"), 16601 + 43.2 / 86400);
  EXPECT_DOUBLE_EQ(*parse_date("2015-06-15T00:00:00-0200"), 16601 + 2.0 / 24);
}

TEST(ParseDate, OtherTextIsNone) {
  for (const char* text :
       {"", "2015", "2015-06", "15/06/2015", "2015-13-01", "2015-02-29", "2015-6-1", "2015-06-15 ",
        "2015-06-15T", "2015-06-15 25:00", "2015-06-15 12:61", "2015-06-15 12:00 PM", "20150615",
        "2015-06-15T12:00+1", "2015-06-15T12:00:00.", "x2015-06-15"})
    EXPECT_FALSE(parse_date(text)) << text;
}

}  // namespace
}  // namespace bochner::parse_date_test
