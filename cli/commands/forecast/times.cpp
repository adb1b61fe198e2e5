#include "times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "bochner/core/calendar.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_date.hpp"
#include "bochner/core/parse_number.hpp"

namespace bochner::cli {

namespace {

using Parser = std::function<std::optional<double>(const std::string&)>;

/// All ids as numbers, or nothing.
std::optional<std::vector<double>> parsed(const Table& table, const Parser& parse) {
  std::vector<double> out;
  for (const std::string& id : table.ids) {
    const std::optional<double> value = parse(id);
    if (!value) return std::nullopt;
    out.push_back(*value);
  }
  return out;
}

void check_numbers(const Table& table, const std::vector<double>& t, const std::string& file) {
  const double step = t[1] - t[0];
  for (std::size_t i = 1; i < t.size(); ++i) {
    const double now = t[i] - t[i - 1];
    if (now <= 0)
      throw InputError(fmt::format("{}: time decreases from {} to {}; sort the rows by time", printable(file),
                                   table.ids[i - 1], table.ids[i]));
    if (std::abs(now - step) > 1e-6 * step)
      throw InputError(
          fmt::format("{}: the step from {} to {} differs from that from {} to {}; times must be equally "
                      "spaced, so add the missing rows with empty cells",
                      printable(file), table.ids[i - 1], table.ids[i], table.ids[0], table.ids[1]));
  }
}

/// "1 month", "3 hours"
std::string duration(double step, Calendar::Unit unit) {
  const auto whole = [&](double size, const char* name) -> std::optional<std::string> {
    const double count = std::round(step / size);
    if (count < 1 || std::abs(count * size - step) > 1e-6 * step) return std::nullopt;
    return counted(Index(count), name);
  };
  if (unit == Calendar::Unit::month) return whole(12, "year").value_or(counted(Index(step), "month"));
  if (unit == Calendar::Unit::weekday) return counted(Index(step), "weekday");
  for (const auto& [size, name] :
       {std::pair{86400.0, "day"}, {3600.0, "hour"}, {60.0, "minute"}, {1.0, "second"}})
    if (const auto text = whole(size, name)) return *text;
  return fmt::format("{:.6g} seconds", step);
}

std::string row_text(const Table& table, std::size_t i) {
  return fmt::format("row {} ({})", i + 1, quote(table.ids[i]));
}

std::vector<std::string> check_dates(const Table& table, const std::vector<double>& days,
                                     const std::string& file) {
  for (std::size_t i = 1; i < days.size(); ++i)
    if (days[i] <= days[i - 1])
      throw InputError(fmt::format(
          "{}, column {}: times must increase, but {} {} {}; {}", printable(file), quote(table.id_name),
          row_text(table, i), days[i] < days[i - 1] ? "is earlier than" : "is the same time as",
          row_text(table, i - 1),
          days[i] < days[i - 1] ? "sort the rows by time, oldest first" : "keep one row for each time"));
  if (days.size() < 3) return {};
  const Calendar calendar = calendar_of(days);
  const Spacing found = spacing_of(calendar);
  if (!found.first) return {};
  std::string note = fmt::format("times are not evenly spaced: most steps in column {} are {}, but ",
                                 quote(table.id_name), duration(found.step, calendar.unit));
  if (found.odd > 0)
    note += fmt::format("{} no multiple of that", found.odd == 1 ? "1 is" : fmt::format("{} are", found.odd));
  if (found.missing > 0)
    note += fmt::format("{}{} missing", found.odd > 0 ? ", and " : "",
                        found.missing == 1 ? "1 time is" : fmt::format("{} times are", found.missing));
  note += fmt::format(" (first after {}), and forecasts take rows for even steps; ",
                      quote(table.ids[*found.first]));
  return {note + (found.odd > 0 ? "resample to even steps, with empty cells where nothing was measured"
                                : "insert the missing rows with empty cells")};
}

}  // namespace

std::vector<std::string> check_times(const Table& table, const std::string& file) {
  if (table.ids_generated || table.rows() < 2) return {};
  if (const auto numbers = parsed(table, [](const std::string& id) { return parse_number(id); })) {
    if (table.rows() > 2) check_numbers(table, *numbers, file);
    return {};
  }
  const auto days = parsed(table, [](const std::string& id) { return parse_date(id); });
  return days ? check_dates(table, *days, file) : std::vector<std::string>{};
}

}  // namespace bochner::cli
