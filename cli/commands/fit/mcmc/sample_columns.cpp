#include "sample_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/data/labels.hpp"

namespace bochner::cli {

SampleColumns::SampleColumns(const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (!name.empty()) taken_[name];
}

void SampleColumns::take(TextTable& table) {
  for (auto& [name, cells] : taken_) {
    if (!table.ids_generated && table.id_name == name)  // dates come first in many files, and are ids then
      for (const std::string& id : table.ids) cells.emplace(id, id);
    const auto at = std::find(table.columns.begin(), table.columns.end(), name);
    if (at == table.columns.end()) continue;
    const auto m = at - table.columns.begin();
    for (std::size_t n = 0; n < table.ids.size(); ++n)
      cells.emplace(table.ids[n], table.cells[static_cast<std::size_t>(m)][n]);
    table.columns.erase(at);
    table.cells.erase(table.cells.begin() + m);
  }
}

void SampleColumns::take(std::vector<ViewTable>& tables) {
  for (auto& [name, cells] : taken_)
    for (ViewTable& t : tables) {  // the first that has it counts
      if (!t.table.ids_generated && t.table.id_name == name)
        for (const std::string& id : t.table.ids) cells.emplace(id, id);
      const auto at = std::find(t.table.columns.begin(), t.table.columns.end(), name);
      if (at == t.table.columns.end()) continue;
      const Index m = at - t.table.columns.begin(), M = t.table.cols();
      for (Index n = 0; n < t.table.rows(); ++n)
        cells.emplace(t.table.ids[static_cast<std::size_t>(n)], label_text(t.table.values(n, m)));
      if (M == 1)
        throw InputError(
            fmt::format("view {} has no column but {}, which is not an observation; omit the view",
                        quote(t.spec.name), quote(name)));
      Matrix rest(t.table.rows(), M - 1);
      rest << t.table.values.leftCols(m), t.table.values.rightCols(M - 1 - m);
      t.table.values = rest;
      t.table.columns.erase(at);
    }
}

std::vector<std::string> SampleColumns::cells(const char* option, const std::string& name,
                                              const Dataset& data, const std::optional<TextTable>& meta,
                                              Gaps gaps) const {
  const auto& taken = taken_.at(name);
  const bool in_meta =
      meta && std::find(meta->columns.begin(), meta->columns.end(), name) != meta->columns.end();
  if (!meta && taken.empty())
    throw InputError(fmt::format("--{}: no view has a column {}; use --meta for the table that has it",
                                 option, quote(name)));
  const std::vector<std::string>* const column = in_meta || taken.empty() ? &meta->column(name) : nullptr;
  std::vector<std::string> out;
  for (std::size_t n = 0; n < data.ids().size(); ++n) {
    const auto at = taken.find(data.ids()[n]);
    out.push_back(column != nullptr ? (*column)[n] : at == taken.end() ? "" : at->second);
    if (gaps == Gaps::refused && !is_label(out.back()))
      throw InputError(fmt::format("--{}: sample {} has no value; fill it in or omit the sample", option,
                                   quote(data.ids()[n])));
  }
  return out;
}

}  // namespace bochner::cli
