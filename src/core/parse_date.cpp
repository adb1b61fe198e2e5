#include "bochner/core/parse_date.hpp"

#include <chrono>

namespace bochner {
namespace {

/// Takes what it reads from the front of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : left_(text) {}

  bool done() const { return left_.empty(); }
  bool take(char c) {
    if (done() || left_.front() != c) return false;
    left_.remove_prefix(1);
    return true;
  }
  /// Exactly n digits.
  std::optional<int> digits(std::size_t n) {
    if (left_.size() < n) return std::nullopt;
    int out = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (left_[i] < '0' || left_[i] > '9') return std::nullopt;
      out = 10 * out + (left_[i] - '0');
    }
    left_.remove_prefix(n);
    return out;
  }
  /// The digits after a decimal point, at least one.
  std::optional<double> fraction() {
    double out = 0, place = 0.1;
    bool some = false;
    while (const auto digit = digits(1)) {
      out += place * *digit;
      place /= 10;
      some = true;
    }
    return some ? std::optional(out) : std::nullopt;
  }

 private:
  std::string_view left_;
};

/// Seconds of hh:mm, hh:mm:ss or hh:mm:ss.f.
std::optional<double> clock_time(Scanner& scan) {
  const auto hour = scan.digits(2);
  if (!hour || *hour > 23 || !scan.take(':')) return std::nullopt;
  const auto minute = scan.digits(2);
  if (!minute || *minute > 59) return std::nullopt;
  double seconds = 3600.0 * *hour + 60.0 * *minute;
  if (!scan.take(':')) return seconds;
  const auto second = scan.digits(2);
  if (!second || *second > 60) return std::nullopt;  // leap seconds
  seconds += *second;
  if (!scan.take('.')) return seconds;
  const auto rest = scan.fraction();
  return rest ? std::optional(seconds + *rest) : std::nullopt;
}

/// Seconds east of Greenwich: Z, +hh:mm or nothing.
std::optional<double> zone(Scanner& scan) {
  if (scan.done() || scan.take('Z')) return 0;
  const bool east = scan.take('+');
  if (!east && !scan.take('-')) return std::nullopt;
  const auto hours = scan.digits(2);
  if (!hours || *hours > 14) return std::nullopt;
  scan.take(':');
  const auto minutes = scan.digits(2);
  if (!minutes || *minutes > 59) return std::nullopt;
  return (east ? 60.0 : -60.0) * (60.0 * *hours + *minutes);
}

}  // namespace

std::optional<double> parse_date(std::string_view text) {
  Scanner scan(text);
  const auto year = scan.digits(4);
  if (!year || !scan.take('-')) return std::nullopt;
  const auto month = scan.digits(2);
  if (!month || !scan.take('-')) return std::nullopt;
  const auto day = scan.digits(2);
  if (!day) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year{*year},
                                         std::chrono::month{static_cast<unsigned>(*month)},
                                         std::chrono::day{static_cast<unsigned>(*day)}};
  if (!date.ok()) return std::nullopt;
  const double days = double(std::chrono::sys_days{date}.time_since_epoch().count());
  if (scan.done()) return days;
  if (!scan.take('T') && !scan.take(' ')) return std::nullopt;
  const auto seconds = clock_time(scan);
  if (!seconds) return std::nullopt;
  const auto east = zone(scan);
  if (!east || !scan.done()) return std::nullopt;
  return days + (*seconds - *east) / 86400;
}

}  // namespace bochner
