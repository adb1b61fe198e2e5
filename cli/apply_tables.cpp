#include "apply_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "io/sentence.hpp"
#include "view_tables.hpp"

namespace bochner::cli {

namespace {

std::vector<std::string> names_of(const GplvmFit& fit) {
  std::vector<std::string> names;
  for (const GplvmView& view : fit.views) names.push_back(view.name);
  return names;
}

ViewSpec known_view(ViewSpec spec, const std::vector<std::string>& names, bool alone) {
  if (std::find(names.begin(), names.end(), spec.name) != names.end()) return spec;
  if (!spec.named && alone && names.size() == 1) {
    spec.name = names.front();
    return spec;
  }
  throw InputError(fmt::format("the model has no view {}, only {}; write --view NAME={}",
                               io::quote(spec.name), io::listing(names), io::printable(spec.table)));
}

}  // namespace

Dataset read_new_samples(const std::vector<std::string>& views, const GplvmFit& fit,
                         std::vector<std::string>& notes) {
  std::vector<ViewSpec> specs;
  const std::vector<std::string> names = names_of(fit);
  for (const std::string& word : views)
    specs.push_back(known_view(split_view(word, names), names, views.size() == 1));
  std::vector<ViewTable> tables = read_view_tables(specs);
  share_ids(tables, notes);
  for (ViewTable& t : tables) {
    const std::vector<std::string>& columns = fit.view(t.spec.name).columns;
    if (!t.table.columns_generated) continue;
    // Files without column names bring them in the order of the fitted table.
    if (t.table.columns.size() != columns.size())
      throw InputError(fmt::format("{} has {} without names, but view {} of the model has {}",
                                   io::printable(t.spec.table), io::counted(t.table.cols(), "column"),
                                   io::quote(t.spec.name), columns.size()));
    t.table.columns = columns;
    t.table.columns_generated = false;
  }
  std::vector<View> read = as_views(std::move(tables));
  for (View& view : read) view = select_columns(std::move(view), fit.view(view.name).columns);
  Dataset data = join(std::move(read), {.allow_disjoint = true});
  if (const auto empty = static_cast<Index>(data.empty_rows().size()); empty > 0)
    notes.push_back(fmt::format("{} not measured in any view: the latent there is the prior",
                                empty == 1 ? "1 sample was" : fmt::format("{} samples were", empty)));
  return data;
}

}  // namespace bochner::cli
