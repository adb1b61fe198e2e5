#include "bochner/data/id_mismatch.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace bochner {
namespace {

using Ids = std::vector<std::string>;
using Pair =
    std::pair<const std::string*, const std::string*>;  // an id of each table that mean the same sample

bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string without_outer_spaces(std::string_view id) {
  while (!id.empty() && is_space(id.front())) id.remove_prefix(1);
  while (!id.empty() && is_space(id.back())) id.remove_suffix(1);
  return std::string(id);
}

std::string lower_case(std::string_view id) {
  std::string out(id);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return std::tolower(c); });
  return out;
}

/// Only letters and digits; bytes above 127 are parts of UTF-8 letters and stay.
std::string without_separators(std::string_view id) {
  std::string out;
  std::copy_if(id.begin(), id.end(), std::back_inserter(out),
               [](unsigned char c) { return std::isalnum(c) || c > 127; });
  return out;
}

/// "007" and "7.0" become "7"; anything that is not a whole number stays.
std::string plain_number(std::string_view id) {
  std::string_view digits = id;
  if (const auto dot = digits.find('.'); dot != std::string_view::npos) {
    const std::string_view decimals = digits.substr(dot + 1);
    if (!std::all_of(decimals.begin(), decimals.end(), [](char c) { return c == '0'; }))
      return std::string(id);
    digits = digits.substr(0, dot);
  }
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return std::string(id);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return std::string(digits);
}

struct Spelling {
  const char* difference;  // "the ids differ in ..."
  std::string (*canonical)(std::string_view id);
};

constexpr std::array<Spelling, 5> spellings{{
    {"spaces at their ends", without_outer_spaces},
    {"upper and lower case", lower_case},
    {"the spelling of numbers", plain_number},
    {"their separators", without_separators},
    {"case, spaces and separators", [](std::string_view id) { return lower_case(without_separators(id)); }},
}};

std::optional<Pair> meet(const Ids& a, const Ids& b, std::string (*canonical)(std::string_view)) {
  std::unordered_map<std::string, const std::string*> known;
  for (const std::string& id : b) known.try_emplace(canonical(id), &id);
  for (const std::string& id : a)
    if (const auto found = known.find(canonical(id)); found != known.end() && !found->first.empty())
      return Pair{&id, found->second};
  return std::nullopt;
}

/// An id of `longer` that begins with an id of `shorter` and goes on with a separator: "S1-01A" begins with
/// "S1".
std::optional<Pair> extends(const Ids& shorter, const Ids& longer) {
  std::unordered_map<std::string_view, const std::string*> known;
  for (const std::string& id : shorter)
    if (!id.empty()) known.try_emplace(id, &id);
  for (const std::string& id : longer)
    for (std::size_t end = 1; end < id.size(); ++end)
      if (!std::isalnum(static_cast<unsigned char>(id[end])))
        if (const auto found = known.find(std::string_view(id).substr(0, end)); found != known.end())
          return Pair{found->second, &id};
  return std::nullopt;
}

std::string examples(const Ids& ids) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t n = 0; n < std::min(most, ids.size()); ++n) text += (n ? ", '" : "'") + ids[n] + "'";
  return ids.size() > most ? text + ", ..." : text;
}

}  // namespace

std::string explain_id_mismatch(const std::string& name_a, const Ids& ids_a, const std::string& name_b,
                                const Ids& ids_b) {
  const std::string meeting = "views '" + name_a + "' and '" + name_b + "' have no sample in common: ";
  const auto pair_text = [&](const Pair& p) {
    return "'" + *p.first + "' in '" + name_a + "' looks like '" + *p.second + "' in '" + name_b + "'";
  };
  for (const Spelling& spelling : spellings)
    if (const auto pair = meet(ids_a, ids_b, spelling.canonical))
      return meeting + pair_text(*pair) + ", so the ids seem to differ only in " + spelling.difference +
             "; spell them the same way in both";
  std::optional<Pair> pair = extends(ids_a, ids_b);
  if (!pair)
    if (const auto turned = extends(ids_b, ids_a)) pair = Pair{turned->second, turned->first};
  if (pair)
    return meeting + pair_text(*pair) +
           ", so one adds an ending to the ids of the other; use the same ids in both";
  return meeting + "'" + name_a + "' has " + examples(ids_a) + " and '" + name_b + "' has " +
         examples(ids_b) + "; check that the first column of both holds the sample id";
}

}  // namespace bochner
