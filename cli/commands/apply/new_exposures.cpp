#include "new_exposures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "answers.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/tables/read_table.hpp"
#include "cli/inputs/by_view.hpp"
#include "cli/inputs/exposures.hpp"
#include "cli/inputs/view_tables.hpp"

namespace bochner::cli {

namespace {

/// The tables that may have the column: the annotations alone, if there are any, or those of the new samples.
std::vector<TextTable> tables_of(const ApplySettings& settings) {
  if (!settings.meta.empty()) return {read_text_table(settings.meta)};
  std::vector<TextTable> out;
  for (const std::string& word : settings.views) {
    try {
      out.push_back(read_text_table(split_view(word).table));
    } catch (const InputError&) {  // an array, whose columns have no names, or what is said where it is read
    }
  }
  return out;
}

std::map<std::string, std::string> cells_of(const std::string& column, const std::vector<TextTable>& tables) {
  std::map<std::string, std::string> out;
  for (const TextTable& table : tables) {
    if (std::find(table.columns.begin(), table.columns.end(), column) == table.columns.end()) continue;
    const std::vector<std::string>& cells = table.column(column);
    for (std::size_t n = 0; n < cells.size(); ++n) out.emplace(table.ids[n], cells[n]);
  }
  return out;
}

/// Whether the new samples may have counts of that view.
bool is_given(const std::string& view, const std::vector<std::string>& names, const ApplySettings& settings) {
  return std::any_of(settings.views.begin(), settings.views.end(), [&](const std::string& word) {
    const ViewSpec spec = split_view(word, names);
    return !spec.named || spec.name == view;
  });
}

}  // namespace

NewExposures::NewExposures(const BayesFit& fit, const ApplySettings& settings) {
  std::vector<std::string> names;
  for (const BayesViewFit& view : fit.views) {
    names.push_back(view.name);
    if (view.exposure.size() > 0) sources_[view.name].column = view.exposure_name;
  }
  if (sources_.empty() && !settings.offset.empty())
    throw InputError("--offset: the model was fitted without exposures; omit the option");
  for (const auto& [v, word] : values_by_view("offset", settings.offset, names)) {
    if (!sources_.contains(names[v])) continue;
    Source& own = sources_[names[v]];
    const std::optional<double> number = parse_number(word);
    own = {.column = number ? "" : word, .number = number ? positive_number(word) : 0};
  }
  if (sources_.empty()) return;
  const std::vector<TextTable> tables = tables_of(settings);
  for (auto& [view, source] : sources_) {
    if (source.number > 0) continue;
    source.cells = cells_of(source.column, tables);
    if (source.cells.empty() && is_given(view, names, settings))
      throw InputError(fmt::format(
          "view {} was fitted with exposures{}, but {} no such column; use --meta for the table that has it, "
          "--offset COLUMN for another name, or --offset N for one exposure of all samples",
          quote(view), source.column.empty() ? "" : ", column " + quote(source.column),
          settings.meta.empty() ? "the new samples have" : printable(settings.meta) + " has"));
  }
}

Vector NewExposures::of(const BayesViewFit& view, const std::vector<std::string>& ids,
                        const View* measured) const {
  const auto found = sources_.find(view.name);
  if (found == sources_.end()) return {};
  const Source& source = found->second;
  const auto n = static_cast<Index>(ids.size());
  if (source.number > 0) return Vector::Constant(n, source.number);
  if (source.cells.empty()) return {};  // a view without counts: predicted at the median of the fit
  std::vector<std::string> cells;
  for (const std::string& id : ids) {
    const auto at = source.cells.find(id);
    cells.push_back(at == source.cells.end() ? "" : at->second);
  }
  if (measured != nullptr) return exposures_of(source.column, cells, *measured);
  View unseen = make_view(view.name, Matrix::Constant(n, 1, std::nan("")));
  unseen.ids = ids;
  return exposures_of(source.column, cells, unseen);
}

}  // namespace bochner::cli
