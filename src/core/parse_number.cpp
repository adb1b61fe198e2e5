#include "bochner/core/parse_number.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bochner {

namespace {

/// Of a number that from_chars finds out of range, too large or too small alike: true if it is too large. The exponent of
/// the leading digit tells them apart: the largest double is about 1.8e308, the smallest 4.9e-324, and nothing in between
/// is out of range.
bool too_large(std::string_view text) {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  long long exponent = 0;
  if (e != std::string_view::npos) {
    const std::string_view digits = text.substr(e + 1);
    exponent = parse_integer<int>(digits).value_or(digits.starts_with('-') ? std::numeric_limits<int>::min()
                                                                           : std::numeric_limits<int>::max());
  }
  const auto point = static_cast<long long>(std::min(mantissa.find('.'), mantissa.size()));
  const auto lead = static_cast<long long>(mantissa.find_first_of("123456789"));
  return exponent + point - lead > 0;
}

}  // namespace

NumberText read_number(std::string_view text, double& value) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const char* const end = text.data() + text.size();
  double found = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, found);
  if (stop != end || error == std::errc::invalid_argument) return NumberText::not_a_number;
  if (error == std::errc::result_out_of_range) {
    if (too_large(text)) return NumberText::overflow;
    found = text.starts_with('-') ? -0.0 : 0.0;
  }
  if (std::isnan(found)) return NumberText::not_a_number;
  value = found;
  return std::isinf(found) ? NumberText::infinite : NumberText::finite;
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  if (read_number(text, value) != NumberText::finite) return std::nullopt;
  return value;
}

const char* scan_number(const char* begin, const char* end, double& value) {
  const auto [stop, error] = std::from_chars(begin, end, value);
  return error == std::errc() && std::isfinite(value) ? stop : nullptr;
}

}  // namespace bochner
