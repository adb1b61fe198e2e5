#include "bochner/tables/table.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "ascii_lower.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_date.hpp"
#include "cell.hpp"

namespace bochner {

std::vector<std::string> numbered_names(Index n) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i) names.push_back(std::to_string(i));
  return names;
}

Table make_table(Matrix values) {
  const Index N = values.rows(), M = values.cols();
  return {numbered_names(N), numbered_names(M), std::move(values), true, true};
}

const std::vector<std::string>& TextTable::column(const std::string& wanted) const {
  for (std::size_t m = 0; m < columns.size(); ++m)
    if (columns[m] == wanted) return cells[m];
  const std::string hint = did_you_mean(wanted, columns);
  throw InputError(fmt::format("{}: there is no column {}{}", printable(name), quote(wanted),
                               hint.empty() ? "; there are " + listing(columns) : hint));
}

Vector TextTable::numbers(const std::string& wanted, char decimal) const {
  const std::vector<std::string>& texts = column(wanted);
  Vector out(static_cast<Index>(texts.size()));
  for (std::size_t n = 0; n < texts.size(); ++n)
    if (!detail::parse_cell(texts[n], decimal, out(static_cast<Index>(n))))
      throw InputError(fmt::format("{}, sample {}, column {}: {}", printable(name), quote(ids[n]),
                                   quote(wanted), detail::explain_cell(texts[n], decimal)));
  return out;
}

std::vector<std::string> columns_of_words(const TextTable& table) {
  const auto is_letter = [](unsigned char c) {
    if (c >= 0x80) return c != 0xc2 && c != 0xe2;  // UTF-8, but for no-break spaces and minus signs
    return c >= 'a' && c <= 'z';
  };
  const auto is_word = [&](const std::string& cell) {
    constexpr int most_of_a_unit = 2;  // "5 kg" is a number, "1st floor" is not
    const std::string lower = detail::ascii_lower(cell);
    if (lower == "inf" || lower == "infinity") return false;
    if (parse_date(cell)) return true;
    if (is_letter(static_cast<unsigned char>(lower.front()))) return true;
    int letters = 0;
    for (const char c : lower)
      if ((letters = is_letter(static_cast<unsigned char>(c)) ? letters + 1 : 0) > most_of_a_unit)
        return true;
    return false;
  };
  std::vector<std::string> out;
  for (std::size_t m = 0; m < table.columns.size(); ++m) {
    std::size_t measured = 0, words = 0;
    for (const std::string& cell : table.cells[m]) {
      if (detail::is_missing(cell)) continue;
      ++measured;
      words += is_word(cell);
    }
    if (2 * words > measured) out.push_back(table.columns[m]);
  }
  return out;
}

std::vector<std::string> columns_of_yes_and_no(const TextTable& table) {
  const auto is_answer = [](const std::string& cell) {
    const std::string lower = detail::ascii_lower(cell);
    for (const char* answer : {"yes", "no", "true", "false", "y", "n", "t", "f"})
      if (lower == answer) return true;
    return detail::is_missing(cell);
  };
  std::vector<std::string> out;
  for (std::size_t m = 0; m < table.columns.size(); ++m)
    if (std::all_of(table.cells[m].begin(), table.cells[m].end(), is_answer)) out.push_back(table.columns[m]);
  return out;
}

}  // namespace bochner
