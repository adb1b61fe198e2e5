#include "new_exposures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "answers.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "cli/inputs/by_view.hpp"
#include "cli/inputs/exposures.hpp"
#include "cli/inputs/view_tables.hpp"
#include "new_columns.hpp"

namespace bochner::cli {

namespace {

/// Whether the new samples may have counts of that view.
bool is_given(const std::string& view, const std::vector<std::string>& names, const ApplySettings& settings) {
  return std::any_of(settings.views.begin(), settings.views.end(), [&](const std::string& word) {
    const ViewSpec spec = split_view(word, names);
    const bool known = std::find(names.begin(), names.end(), spec.name) != names.end();
    return known ? spec.name == view : !spec.named;  // of an unknown name: told by its columns
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
    if (!sources_.contains(names[v])) {
      if (std::find(settings.offset.begin(), settings.offset.end(), word) != settings.offset.end())
        continue;  // for all views
      throw InputError(
          fmt::format("--offset: view {} was fitted without exposures; omit it", quote(names[v])));
    }
    Source& own = sources_[names[v]];
    const std::optional<double> number = parse_number(word);
    own = {.column = number ? "" : word, .number = number ? positive_number(word) : 0};
  }
  if (sources_.empty()) return;
  const NewColumns columns(settings, names);
  for (auto& [view, source] : sources_) {
    if (source.number > 0) continue;
    source.cells = columns.by_sample(source.column);
    if (source.cells.empty() && is_given(view, names, settings))
      throw InputError(fmt::format(
          "view {} was fitted with exposures{}, but {} such a column; use --meta for the table that has it, "
          "--offset COLUMN for another name, or --offset N for one exposure of all samples",
          quote(view), source.column.empty() ? "" : ", column " + quote(source.column),
          settings.meta.empty() ? "the new samples do not have"
                                : "neither " + printable(settings.meta) + " nor the new samples have"));
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
  if (measured != nullptr) return exposures_of(source.column, cells, *measured, view.typical_exposure);
  View unseen = make_view(view.name, Matrix::Constant(n, 1, std::nan("")));
  unseen.ids = ids;
  return exposures_of(source.column, cells, unseen, view.typical_exposure);
}

}  // namespace bochner::cli
