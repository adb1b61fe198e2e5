#include "bochner/core/calendar.hpp"

#include <gtest/gtest.h>

#include "bochner/core/parse_date.hpp"

namespace bochner::calendar_test {
namespace {

std::vector<double> days(const std::vector<const char*>& dates) {
  std::vector<double> out;
  for (const char* date : dates) out.push_back(*parse_date(date));
  return out;
}

/// The dates that follow.
std::vector<std::string> next(const std::vector<const char*>& dates, int count) {
  const Calendar calendar = calendar_of(days(dates));
  const double step = spacing_of(calendar).step;
  std::vector<std::string> out;
  for (int k = 1; k <= count; ++k) out.push_back(date_text(calendar.date(calendar.at.back() + k * step)));
  return out;
}

using Texts = std::vector<std::string>;

TEST(Calendar, GoesOnAsTheDatesDo) {
  EXPECT_EQ(next({"2019-11-30", "2019-12-31", "2020-01-31"}, 3),
            (Texts{"2020-02-29", "2020-03-31", "2020-04-30"}));
  EXPECT_EQ(next({"2019-09-15T06:30", "2019-12-15T06:30", "2020-03-15T06:30"}, 2),
            (Texts{"2020-06-15T06:30", "2020-09-15T06:30"}));
  EXPECT_EQ(next({"2019-02-28", "2020-02-29", "2021-02-28"}, 3),
            (Texts{"2022-02-28", "2023-02-28", "2024-02-29"}));
  EXPECT_EQ(next({"2020-01-02", "2020-01-03", "2020-01-06"}, 5),  // Thursday, Friday, Monday
            (Texts{"2020-01-07", "2020-01-08", "2020-01-09", "2020-01-10", "2020-01-13"}));
  EXPECT_EQ(next({"1969-12-30", "1969-12-31", "1970-01-01"}, 2), (Texts{"1970-01-02", "1970-01-03"}));
  EXPECT_EQ(next({"2020-02-28T22:00", "2020-02-28T23:00", "2020-02-29"}, 2),
            (Texts{"2020-02-29T01:00", "2020-02-29T02:00"}));
  EXPECT_EQ(next({"2020-01-01", "2020-01-03"}, 1), (Texts{"2020-01-05"}));
}

TEST(Calendar, CountsWhatIsMissing) {
  const Spacing monthly =
      spacing_of(calendar_of(days({"2020-01-01", "2020-02-01", "2020-05-01", "2020-06-01"})));
  EXPECT_EQ(monthly.step, 1);
  EXPECT_EQ(monthly.missing, 2);
  EXPECT_EQ(monthly.odd, 0);
  EXPECT_EQ(monthly.first, 1u);
  EXPECT_EQ(calendar_of(days({"2020-01-01", "2020-01-02", "2020-01-03"})).unit, Calendar::Unit::second);
}

TEST(Calendar, DatesAreWrittenAsTheyAreRead) {
  for (const char* date :
       {"1899-12-31", "2000-02-29", "2015-06-15T12:00", "2015-06-15T00:00:43", "0400-03-01"})
    EXPECT_EQ(date_text(*parse_date(date)), date);
}

}  // namespace
}  // namespace bochner::calendar_test
