#include "new_columns.hpp"

#include <algorithm>
#include <set>

#include "answers.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/inputs/row_table.hpp"
#include "cli/inputs/view_tables.hpp"

namespace bochner::cli {

namespace {

/// Ids of annotations. Where the samples have none, rows are matched by place unless the ids are places themselves.
std::vector<std::string> ids_beside(const TextTable& table, bool arrays) {
  std::vector<std::string> places = numbered_names(static_cast<Index>(table.ids.size()));
  const std::set<std::string> known(places.begin(), places.end());
  const bool named = !std::all_of(table.ids.begin(), table.ids.end(),
                                  [&](const std::string& id) { return known.contains(id); });
  return arrays && named ? places : table.ids;
}

}  // namespace

NewColumns::NewColumns(const ApplySettings& settings, const std::vector<std::string>& views)
    : has_meta_(!settings.meta.empty()) {
  if (has_meta_) tables_.push_back(read_text_table(settings.meta));
  for (const std::string& word : settings.views) {
    const std::string table = split_view(word, views).table;
    arrays_ = arrays_ && is_array(table);
    try {
      tables_.push_back(read_text_table(table));
    } catch (const InputError&) {  // an array, whose columns have no names, or what is said where it is read
    }
  }
  if (has_meta_) tables_.front().ids = ids_beside(tables_.front(), arrays_);
}

std::map<std::string, std::string> NewColumns::by_sample(const std::string& column) const {
  std::map<std::string, std::string> out;
  for (const TextTable& table : tables_) {
    if (!table.ids_generated && table.id_name == column) {
      for (const std::string& id : table.ids) out.emplace(id, id);
      continue;
    }
    if (std::find(table.columns.begin(), table.columns.end(), column) == table.columns.end()) continue;
    const std::vector<std::string>& cells = table.column(column);
    for (std::size_t n = 0; n < cells.size(); ++n) out.emplace(table.ids[n], cells[n]);
    if (has_meta_ && &table == &tables_.front()) break;
  }
  return out;
}

}  // namespace bochner::cli
