#include "meta_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/messages.hpp"
#include "bochner/tables/read_table.hpp"
#include "match_rows.hpp"

namespace bochner::cli {

namespace {

/// The rows of a table in the order of the samples.
TextTable in_order(const TextTable& table, const MatchedRows& rows, const std::vector<std::string>& ids) {
  TextTable out{.name = table.name, .ids = ids, .columns = table.columns};
  for (const std::vector<std::string>& column : table.cells) {
    out.cells.emplace_back(ids.size());
    for (std::size_t i = 0; i < rows.a.size(); ++i)
      out.cells.back()[static_cast<std::size_t>(rows.a[i])] = column[static_cast<std::size_t>(rows.b[i])];
  }
  return out;
}

}  // namespace

TextTable read_meta(const std::string& spec, const std::vector<std::string>& ids, bool ids_generated,
                    std::vector<std::string>& notes) {
  const TextTable read = read_text_table(spec);
  const MatchedRows rows =
      match_rows({"the views", ids, ids_generated}, {spec, read.ids, read.ids_generated});
  if (rows.only_a > 0)
    notes.push_back(fmt::format("{} not in {}",
                                rows.only_a == 1 ? "1 sample is" : fmt::format("{} samples are", rows.only_a),
                                printable(spec)));
  return in_order(read, rows, ids);
}

std::optional<TextTable> words_as_meta(const std::vector<TextTable>& words,
                                       const std::vector<std::string>& ids, bool ids_generated) {
  std::optional<TextTable> out;
  for (const TextTable& table : words) {
    if (table.columns.empty()) continue;
    TextTable own = in_order(
        table, match_rows({"the views", ids, ids_generated}, {table.name, table.ids, table.ids_generated}),
        ids);
    if (!out) {
      out = std::move(own);
      continue;
    }
    for (std::size_t m = 0; m < own.columns.size(); ++m) {
      std::string name = own.columns[m];
      const auto taken = [&] {
        return std::find(out->columns.begin(), out->columns.end(), name) != out->columns.end();
      };
      if (taken()) name = own.name + ": " + own.columns[m];
      for (int k = 2; taken(); ++k) name = fmt::format("{} ({}): {}", own.name, k, own.columns[m]);
      out->columns.push_back(std::move(name));
      out->cells.push_back(std::move(own.cells[m]));
    }
  }
  return out;
}

}  // namespace bochner::cli
