#include "src/data/cell_kind.hpp"

#include <array>
#include <string>

#include "bochner/core/parse_date.hpp"
#include "bochner/core/parse_number.hpp"
#include "src/tables/cell.hpp"

namespace bochner::detail {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// A letter of UTF-8 beyond ASCII at the head of `text`. Currencies, spaces, signs and digits of other widths are none: U+0080 to
/// U+00BF but for the ordinal indicators and micro, the signs of multiplication and division, and U+2000 to U+2FFF and U+F000 to
/// U+FFFF, which begin with E2 and EF.
bool other_letter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0xc2 || lead == 0xe2 || lead == 0xef) return false;
  for (const std::string_view letter : {"\xc2\xaa", "\xc2\xb5", "\xc2\xba"})
    if (text.starts_with(letter)) return true;
  return lead != 0xc2 && !text.starts_with("\xc3\x97") && !text.starts_with("\xc3\xb7");
}

/// A sign that puts digits together to a name: 18-25, 65+, 08:00, 2020_01; also with a dash of typography.
bool joint(std::string_view text) {
  return std::string_view("-:/+_").find(text.front()) != std::string_view::npos ||
         text.starts_with("\xe2\x80\x93") || text.starts_with("\xe2\x80\x94");
}

/// The length of an exponent at the head of `text`, which stands behind a digit: 4 for "e-10 m"; 0 if there is none.
std::size_t exponent(std::string_view text) {
  if (text.front() != 'e' && text.front() != 'E') return 0;
  std::size_t i = 1;
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  const std::size_t first = i;
  while (i < text.size() && digit(text[i])) ++i;
  return i > first && (i == text.size() || !ascii_letter(text[i])) ? i : 0;
}

bool is_word(std::string_view cell) {
  bool digits = false;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const std::string_view rest = cell.substr(i);
    if (digit(cell[i])) {
      digits = true;
      continue;
    }
    if (i > 0 && digit(cell[i - 1]))
      if (const std::size_t length = exponent(rest); length > 0) {
        i += length - 1;
        continue;
      }
    if (ascii_letter(cell[i]) || other_letter(rest) || (digits && joint(rest))) return true;
  }
  return !digits;
}

}  // namespace

bool is_other_date(std::string_view cell) {
  std::array<std::size_t, 3> lengths{};
  char separator = '\0';
  std::size_t part = 0;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (digit(cell[i])) {
      ++lengths[part];
    } else if (part < 2 && (cell[i] == '/' || cell[i] == '.' || cell[i] == '-')) {
      if (separator != '\0' && cell[i] != separator) return false;
      separator = cell[i];
      ++part;
    } else if (part == 2 && (cell[i] == ' ' || cell[i] == 'T')) {
      break;  // the time of the day
    } else {
      return false;
    }
  }
  const auto short_one = [&](std::size_t i) { return lengths[i] == 1 || lengths[i] == 2; };
  return part == 2 && short_one(1) &&
         ((lengths[0] == 4 && short_one(2)) || (short_one(0) && lengths[2] == 4));
}

CellKind cell_kind(std::string_view cell) {
  if (is_missing(cell)) return CellKind::missing;
  double value = 0;
  const NumberText number = read_number(cell, value);
  if (number == NumberText::finite) return CellKind::number;
  if (number == NumberText::overflow) return CellKind::another;
  if (parse_date(cell)) return CellKind::date;
  if (is_other_date(cell)) return CellKind::another;
  if (is_word(cell)) return CellKind::word;
  for (const std::string_view limit : {"<", ">", "\xe2\x89\xa4", "\xe2\x89\xa5"})
    if (cell.starts_with(limit)) return CellKind::limit;
  return CellKind::another;
}

}  // namespace bochner::detail
