#include "new_columns.hpp"

#include <algorithm>

#include "answers.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/inputs/view_tables.hpp"

namespace bochner::cli {

NewColumns::NewColumns(const ApplySettings& settings) {
  if (!settings.meta.empty()) {
    tables_.push_back(read_text_table(settings.meta));
    return;
  }
  for (const std::string& word : settings.views) {
    try {
      tables_.push_back(read_text_table(split_view(word).table));
    } catch (const InputError&) {  // an array, whose columns have no names, or what is said where it is read
    }
  }
}

std::map<std::string, std::string> NewColumns::by_sample(const std::string& column) const {
  std::map<std::string, std::string> out;
  for (const TextTable& table : tables_) {
    if (std::find(table.columns.begin(), table.columns.end(), column) == table.columns.end()) continue;
    const std::vector<std::string>& cells = table.column(column);
    for (std::size_t n = 0; n < cells.size(); ++n) out.emplace(table.ids[n], cells[n]);
  }
  return out;
}

}  // namespace bochner::cli
