#include "label_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
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

/// Of the samples that a table has.
View class_view(const LabelColumn& column, const std::vector<View>& tables, std::vector<std::string>& notes) {
  std::set<std::string> known;
  for (const View& table : tables) known.insert(table.ids.begin(), table.ids.end());
  std::vector<std::string> ids, labels;
  Index unknown = 0;
  for (std::size_t n = 0; n < column.labels.size(); ++n) {
    if (!is_label(column.labels[n])) continue;
    if (known.count(column.ids[n]) == 0) {
      ++unknown;
      continue;
    }
    ids.push_back(column.ids[n]);
    labels.push_back(column.labels[n]);
  }
  if (ids.empty() && unknown > 0)
    throw InputError(fmt::format(
        "{}: no label belongs to a sample of the tables, which have {}, while the labels have {}; "
        "check the column of ids",
        column.table, quote(tables.front().ids.front()), quote(column.ids.front())));
  if (unknown > 0)
    notes.push_back(
        fmt::format("{} of {} left out: no table has them", counted(unknown, "label"), column.table));
  const Labels codes = encode_labels(labels);  // none is missing
  if (codes.names.size() < 2)
    throw InputError(fmt::format("{}: at least two classes are required, found {}", column.table,
                                 codes.names.empty() ? "none" : "one"));
  if (2 * codes.names.size() > ids.size())
    notes.push_back(fmt::format("{} has {} distinct labels for {}; are these classes?", column.table,
                                codes.names.size(), counted(Index(ids.size()), "sample")));
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
  View labels = class_view(column, out.views, notes);
  out.views.push_back(std::move(labels));
  return out;
}

}  // namespace bochner::cli
