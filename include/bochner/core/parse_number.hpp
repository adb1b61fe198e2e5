#pragma once
#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <type_traits>

namespace bochner {

// Numbers in text, the same in every locale: decimal point, correctly rounded [std::from_chars], no spaces, no thousands
// separators, no hexadecimal digits. A leading '+' is allowed, as in "+1.5e+3".

/// What a text is. Numbers nearer to 0 than any double are 0 (finite), those beyond 1.8e308 overflow.
enum class NumberText { finite, infinite, overflow, not_a_number };  // "nan" is not_a_number

/// The whole of `text` as a number; `value` is set where it is finite or infinite.
NumberText read_number(std::string_view text, double& value);

/// The whole of `text` as a finite number; nothing if it is not one.
std::optional<double> parse_number(std::string_view text);

/// The finite number at the beginning of a text: where it ends, or nullptr. No leading '+'.
const char* scan_number(const char* begin, const char* end, double& value);

/// The whole of `text` as an integer that T can hold; nothing if it is not one, and for "1.0" or "1e3" neither. Unsigned
/// types take no sign.
template <std::integral T>
std::optional<T> parse_integer(std::string_view text, int base = 10) {
  if constexpr (std::is_signed_v<T>)
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace bochner
