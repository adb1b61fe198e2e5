#include "match_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/id_mismatch.hpp"

namespace bochner::cli {

namespace {

using RowOf = std::unordered_map<std::string_view, Index>;

RowOf index_rows(const std::vector<std::string>& ids) {
  RowOf row_of;
  for (std::size_t n = 0; n < ids.size(); ++n) row_of.emplace(ids[n], static_cast<Index>(n));
  return row_of;
}

MatchedRows by_id(const RowNames& a, const RowOf& row_of_b) {
  MatchedRows out;
  for (std::size_t n = 0; n < a.ids.size(); ++n)
    if (const auto found = row_of_b.find(a.ids[n]); found != row_of_b.end()) {
      out.a.push_back(static_cast<Index>(n));
      out.b.push_back(found->second);
    }
  out.only_a = static_cast<Index>(a.ids.size() - out.a.size());
  out.only_b = static_cast<Index>(row_of_b.size() - out.b.size());
  return out;
}

MatchedRows by_position(const RowNames& a, const RowNames& b) {
  if (a.ids.size() != b.ids.size()) {
    const RowNames& nameless = a.generated ? a : b;
    throw InputError(fmt::format(
        "'{}' has {} and '{}' has {}, but '{}' has no sample ids, so rows can only be matched by "
        "position",
        printable(a.table), counted(static_cast<long long>(a.ids.size()), "row"), printable(b.table),
        counted(static_cast<long long>(b.ids.size()), "row"), printable(nameless.table)));
  }
  MatchedRows out;
  out.a.resize(a.ids.size());
  std::iota(out.a.begin(), out.a.end(), Index{0});
  out.b = out.a;
  out.by_position = true;
  return out;
}

/// Whether every id of the table that has ids is the number of a row of the other.
bool ids_are_row_numbers(const RowNames& named, const RowNames& nameless) {
  const RowOf rows = index_rows(nameless.ids);
  return std::all_of(named.ids.begin(), named.ids.end(),
                     [&](const std::string& id) { return rows.contains(id); });
}

}  // namespace

MatchedRows match_rows(const RowNames& a, const RowNames& b) {
  if (a.generated != b.generated && !ids_are_row_numbers(a.generated ? b : a, a.generated ? a : b))
    return by_position(a, b);
  if (a.generated && b.generated) return by_position(a, b);
  MatchedRows out = by_id(a, index_rows(b.ids));
  if (out.a.empty()) throw InputError(explain_id_mismatch(a.table, a.ids, b.table, b.ids));
  return out;
}

}  // namespace bochner::cli
