#include "cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "ascii_lower.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"

namespace bochner::detail {

namespace {

constexpr std::string_view nbsp = "\xc2\xa0", narrow_nbsp = "\xe2\x80\xaf", minus_sign = "\xe2\x88\x92";

bool digit(char c) { return c >= '0' && c <= '9'; }

// Digits in groups of three, cut by `separator`: 1,234 or 12,345,678.
bool grouped(std::string_view text, std::string_view separator) {
  std::size_t group = 0;
  int groups = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with(separator)) {
      if (group == 0 || group > 3 || (groups > 0 && group != 3)) return false;
      ++groups;
      group = 0;
      i += separator.size();
    } else if (digit(text[i])) {
      ++group;
      ++i;
    } else {
      return false;
    }
  }
  return groups > 0 && group == 3;
}

bool date_like(std::string_view text) {
  int parts = 1, digits = 0;
  for (const char c : text) {
    if (digit(c))
      ++digits;
    else if ((c == '-' || c == '/' || c == '.' || c == ':') && digits > 0)
      ++parts;
    else if (c != ' ' && c != 'T' && c != 'Z')
      return false;
  }
  return parts >= 3 && digits >= 4 && digit(text.front());
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  for (;;) {
    if (text.starts_with(' ') || text.starts_with('\t'))
      text.remove_prefix(1);
    else if (text.ends_with(' ') || text.ends_with('\t'))
      text.remove_suffix(1);
    else if (text.starts_with(nbsp))
      text.remove_prefix(nbsp.size());
    else if (text.ends_with(nbsp))
      text.remove_suffix(nbsp.size());
    else
      return text;
  }
}

bool is_missing(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() > 6) return false;
  static constexpr std::array<std::string_view, 15> words = {
      "na", "n/a", "n.a.", "nan", "-nan", "+nan", "null", "none", "<na>", "#n/a", "#na", ".", "-", "--", "?"};
  const std::string word = ascii_lower(text);
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool parse_cell(std::string_view text, char decimal, double& value) {
  if (is_missing(text)) {
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }
  if (decimal == '.') return read_number(text, value) == NumberText::finite;
  std::string with_point(text);
  for (char& c : with_point) c = c == decimal ? '.' : c == '.' ? decimal : c;
  return read_number(with_point, value) == NumberText::finite;
}

bool looks_numeric(std::string_view text, bool* fraction) {
  if (!parse_number(text)) return false;
  if (fraction) *fraction = text.find_first_of(".eE") != std::string_view::npos;
  return true;
}

std::string explain_cell(std::string_view text, char decimal, bool labels) {
  const std::string cell = quote(text);
  double value = 0;
  const NumberText parsed = read_number(text, value);
  if (parsed == NumberText::infinite)
    return fmt::format(
        "{} is infinite, and no model can use that; leave the cell empty or put in a finite number", cell);
  if (parsed == NumberText::overflow)
    return fmt::format("{} is too large for a double (at most 1.8e308)", cell);
  if (decimal != '.' && parsed == NumberText::finite)
    return fmt::format("{} has a decimal point, but the table was announced with decimal {}", cell,
                       quote(std::string_view(&decimal, 1)));

  std::string_view body = text;
  if (body.starts_with('-') || body.starts_with('+')) body.remove_prefix(1);
  if (grouped(body, ",") && std::count(body.begin(), body.end(), ',') == 1)
    return fmt::format(
        "{} may mean a thousands separator or a decimal comma; save the table with decimal points and "
        "without thousands separators",
        cell);
  for (const std::string_view separator : {std::string_view(","), std::string_view("."),
                                           std::string_view(" "), std::string_view("'"), nbsp, narrow_nbsp})
    for (const char point : {'.', ','})
      if (separator[0] != point && grouped(body.substr(0, body.rfind(point)), separator))
        return fmt::format("{} has thousands separators; save the table with decimal points and without them",
                           cell);
  if (decimal == '.' && std::count(body.begin(), body.end(), ',') == 1) {
    std::string with_point(text);
    with_point[with_point.find(',')] = '.';
    if (looks_numeric(with_point))
      return fmt::format(
          "{} has a decimal comma; save the table with decimal points (in R write.csv, not write.csv2; in "
          "Excel switch off the system separators)",
          cell);
  }

  if (body.starts_with(minus_sign))
    return fmt::format("{} begins with a typographic minus sign; replace it by '-'", cell);
  if (text.ends_with('%')) return fmt::format("{} is a percentage; write the plain number", cell);
  if (text.starts_with('<') || text.starts_with('>') || text.starts_with("\xe2\x89\xa4") ||
      text.starts_with("\xe2\x89\xa5"))
    return fmt::format(
        "{} is a limit, not a number; put in a number, or leave the cell empty if it was not measured", cell);
  if (text.starts_with('#'))
    return fmt::format("{} is an error value of a spreadsheet; repair the formula, or leave the cell empty",
                       cell);
  const std::string word = ascii_lower(text);
  if (word == "true" || word == "false" || word == "yes" || word == "no")
    return fmt::format("{} is not a number; write 1 and 0", cell);
  if (date_like(text))
    return fmt::format("{} looks like a date; write a number, say days since the start", cell);
  return fmt::format("{} is not a number; leave a cell empty if it was not measured{}", cell,
                     labels ? ", and move text columns to the table of labels" : "");
}

}  // namespace bochner::detail
