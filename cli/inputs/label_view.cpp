#include "label_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/data/labels.hpp"
#include "label_column.hpp"

namespace bochner::cli {

namespace {

/// Rows of a table without ids are those of the labels, in that order, or the other way round.
void share_ids_with_labels(std::vector<ViewTable>& tables, LabelColumn& labels,
                           std::vector<std::string>& notes) {
  std::vector<ViewTable> all = std::move(tables);
  const auto n = static_cast<Index>(labels.ids.size());
  all.push_back({{.name = label_view_name, .table = labels.table},
                 {.ids = labels.ids,
                  .columns = {"label"},
                  .values = Matrix::Zero(n, 1),
                  .ids_generated = labels.ids_generated}});
  share_ids(all, notes);
  labels.ids = std::move(all.back().table.ids);
  all.pop_back();
  tables = std::move(all);
}

View class_view(const LabelColumn& column) {
  std::vector<std::string> ids, labels;
  for (std::size_t n = 0; n < column.labels.size(); ++n)
    if (is_label(column.labels[n])) ids.push_back(column.ids[n]), labels.push_back(column.labels[n]);
  const Labels codes = encode_labels(labels);  // none is missing
  if (codes.names.size() < 2)
    throw InputError(fmt::format("{}: at least two classes are required, found {}", column.table,
                                 codes.names.empty() ? "none" : "one"));
  Matrix Y = Matrix::Zero(Index(ids.size()), Index(codes.names.size()));
  for (Index n = 0; n < Y.rows(); ++n) Y(n, codes.code(n)) = 1;
  return {label_view_name, ids, codes.names, std::move(Y)};
}

}  // namespace

std::vector<std::string> with_label_view(std::vector<std::string> names) {
  if (std::find(names.begin(), names.end(), label_view_name) != names.end())
    throw InputError("invalid view name 'labels': --labels adds a view of that name; rename the view");
  names.emplace_back(label_view_name);
  return names;
}

LabelledViews views_with_labels(std::vector<ViewTable> tables, const std::string& spec,
                                std::vector<std::string>& notes) {
  LabelledViews out;
  for (const ViewTable& t : tables) out.ids_generated = out.ids_generated && t.table.ids_generated;
  if (spec.empty()) {
    share_ids(tables, notes);
    out.views = as_views(std::move(tables));
    return out;
  }
  LabelColumn column = read_labels(spec);
  out.ids_generated = out.ids_generated && column.ids_generated;
  share_ids_with_labels(tables, column, notes);
  out.views = as_views(std::move(tables));
  out.views.push_back(class_view(column));
  return out;
}

}  // namespace bochner::cli
