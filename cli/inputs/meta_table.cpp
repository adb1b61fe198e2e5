#include "meta_table.hpp"

#include <fmt/format.h>

#include "bochner/core/messages.hpp"
#include "bochner/tables/read_table.hpp"
#include "match_rows.hpp"

namespace bochner::cli {

TextTable read_meta(const std::string& spec, const std::vector<std::string>& ids, bool ids_generated,
                    std::vector<std::string>& notes) {
  const TextTable read = read_text_table(spec);
  const MatchedRows rows =
      match_rows({"the views", ids, ids_generated}, {spec, read.ids, read.ids_generated});
  TextTable out{.name = read.name, .ids = ids, .columns = read.columns};
  for (const std::vector<std::string>& column : read.cells) {
    out.cells.emplace_back(ids.size());
    for (std::size_t i = 0; i < rows.a.size(); ++i)
      out.cells.back()[static_cast<std::size_t>(rows.a[i])] = column[static_cast<std::size_t>(rows.b[i])];
  }
  if (rows.only_a > 0)
    notes.push_back(fmt::format("{} not in {}",
                                rows.only_a == 1 ? "1 sample is" : fmt::format("{} samples are", rows.only_a),
                                printable(spec)));
  return out;
}

}  // namespace bochner::cli
