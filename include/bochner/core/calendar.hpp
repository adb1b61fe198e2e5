#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// Dates (days since 1970) counted in a unit in which their steps are equal, if there is one. Months are such a unit where all
/// dates are on the same day of their months, or on the last where a month is shorter; weekdays where none is on a weekend.
struct Calendar {
  enum class Unit { second, weekday, month };
  std::vector<double> at;
  Unit unit = Unit::second;
  double tolerance = 0;     // of a step
  unsigned latest_day = 1;  // of a month, in units of months
  double clock = 0;         // part of a day, likewise

  /// The date of a count: the inverse.
  double date(double count) const;
};

/// The calendar of ascending dates in which the fewest steps are uneven, and then the fewest times are missing.
Calendar calendar_of(const std::vector<double>& days);

struct Spacing {
  double step = 0;                     // the most common one
  Index even = 0;                      // steps that are equal to it
  Index missing = 0, odd = 0;          // times that are missing at it; steps that are no multiple of it
  std::optional<std::size_t> first{};  // the row before the first other step
};

/// The steps between ascending times, at least two.
Spacing spacing_of(const Calendar& calendar);

/// ISO 8601 without zeros at the end: 2020-12-31, 2020-12-31T23:59 or 2020-12-31T23:59:30, to the nearest second.
std::string date_text(double days);

}  // namespace bochner
