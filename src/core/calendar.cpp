#include "bochner/core/calendar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

namespace bochner {

namespace {

using std::chrono::year_month_day;

year_month_day date_of(double day) {
  return std::chrono::sys_days{std::chrono::days{static_cast<long>(std::floor(day))}};
}

double day_of(const year_month_day& date) {
  return double(std::chrono::sys_days{date}.time_since_epoch().count());
}

unsigned last_day(const year_month_day& date) {
  return unsigned(std::chrono::year_month_day_last{date.year() / date.month() / std::chrono::last}.day());
}

std::optional<Calendar> months(const std::vector<double>& days) {
  Calendar out{.at = {}, .unit = Calendar::Unit::month};
  for (const double day : days) out.latest_day = std::max(out.latest_day, unsigned(date_of(day).day()));
  out.clock = days[0] - std::floor(days[0]);
  for (const double day : days) {
    const year_month_day date = date_of(day);
    if (unsigned(date.day()) != std::min(out.latest_day, last_day(date)) ||
        std::abs(day - std::floor(day) - out.clock) > 1e-9)
      return std::nullopt;
    out.at.push_back(12.0 * int(date.year()) + unsigned(date.month()) - 1);
  }
  return out;
}

constexpr double monday = 3;  // 1970-01-01 was a Thursday

std::optional<Calendar> weekdays(const std::vector<double>& days) {
  Calendar out{.at = {}, .unit = Calendar::Unit::weekday};
  for (const double day : days) {
    const double week = std::floor((day + monday) / 7), of_week = day + monday - 7 * week;
    if (day != std::floor(day) || of_week > 4) return std::nullopt;
    out.at.push_back(5 * week + of_week);
  }
  return out;
}

Calendar seconds(const std::vector<double>& days) {
  Calendar out{.at = days, .tolerance = 2e-6};  // days as doubles are known to 1e-6 s
  for (double& t : out.at) t *= 86400;
  return out;
}

}  // namespace

double Calendar::date(double count) const {
  if (unit == Unit::second) return count / 86400;
  if (unit == Unit::weekday) {
    const double week = std::floor(count / 5);
    return 7 * week + (count - 5 * week) - monday;
  }
  const double year = std::floor(count / 12);
  const auto month = static_cast<unsigned>(count - 12 * year) + 1;
  const year_month_day first{std::chrono::year{static_cast<int>(year)}, std::chrono::month{month},
                             std::chrono::day{1}};
  return day_of(first) + std::min(latest_day, last_day(first)) - 1 + clock;
}

Calendar calendar_of(const std::vector<double>& days) {
  Calendar best = seconds(days);
  if (days.size() < 3) return best;
  const std::optional<Calendar> by_month = months(days);
  // Two months of 31 days, or quarters of 91, may follow each other.
  if (by_month && !spacing_of(*by_month).first && days[1] - days[0] >= 28) return *by_month;
  Spacing of_best = spacing_of(best);
  for (const auto& other : {by_month, weekdays(days)}) {
    if (!other) continue;
    const Spacing own = spacing_of(*other);
    if (std::pair(own.odd, own.missing) >= std::pair(of_best.odd, of_best.missing)) continue;
    best = *other;
    of_best = own;
  }
  return best;
}

Spacing spacing_of(const Calendar& calendar) {
  const auto same = [&](double a, double b) {
    return std::abs(a - b) <= std::max(calendar.tolerance, 1e-6 * b);
  };
  std::vector<double> steps;
  for (std::size_t i = 1; i < calendar.at.size(); ++i) steps.push_back(calendar.at[i] - calendar.at[i - 1]);
  std::map<double, Index> counts;  // by the step rounded to six digits
  Spacing out;
  Index most = 0;
  for (const double step : steps) {
    const double unit = std::pow(10, std::floor(std::log10(step)) - 5);
    if (const Index count = ++counts[std::round(step / unit) * unit]; count > most)
      most = count, out.step = step;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double times = std::max(1.0, std::round(steps[i] / out.step));
    if (times == 1 && same(steps[i], out.step)) {
      ++out.even;
      continue;
    }
    if (!out.first) out.first = i;
    if (same(steps[i], times * out.step))
      out.missing += Index(times) - 1;
    else
      ++out.odd;
  }
  return out;
}

std::string date_text(double days) {
  const double seconds = std::round(days * 86400), day = std::floor(seconds / 86400);
  const auto of_day = static_cast<long>(seconds - 86400 * day);
  const year_month_day date = date_of(day);
  const std::string text =
      fmt::format("{:04d}-{:02d}-{:02d}", int(date.year()), unsigned(date.month()), unsigned(date.day()));
  if (of_day == 0) return text;
  const long hour = of_day / 3600, minute = of_day / 60 % 60, second = of_day % 60;
  return second == 0 ? fmt::format("{}T{:02d}:{:02d}", text, hour, minute)
                     : fmt::format("{}T{:02d}:{:02d}:{:02d}", text, hour, minute, second);
}

}  // namespace bochner
