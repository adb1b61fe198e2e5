#include "bochner/data/view.hpp"

#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {
namespace {

std::vector<std::string> numbered(const std::string& prefix, Index n) {
  std::vector<std::string> names(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = prefix + std::to_string(i);
  return names;
}

void check_ids(const View& view) {
  std::unordered_map<std::string_view, std::size_t> first;  // id -> row
  first.reserve(view.ids.size());
  for (std::size_t n = 0; n < view.ids.size(); ++n) {
    if (view.ids[n].empty())
      throw InputError("view '" + view.name + "' has no id in row " + std::to_string(n + 1) +
                       "; give every sample an id that is the same in all views");
    const auto [seen, is_new] = first.try_emplace(view.ids[n], n);
    if (!is_new)
      throw InputError("view '" + view.name + "' has the id '" + view.ids[n] + "' in rows " +
                       std::to_string(seen->second + 1) + " and " + std::to_string(n + 1) +
                       "; ids must be unique, so rename, merge or drop one of the rows");
  }
}

}  // namespace

View make_view(std::string name, Matrix Y) {
  View view{.name = std::move(name), .ids = {}, .columns = {}, .Y = std::move(Y)};
  view.ids = numbered("", view.rows());
  view.columns = numbered(view.name + "_", view.cols());
  return view;
}

void check_view(const View& view) {
  check_size("check_view", "number of ids", static_cast<Index>(view.ids.size()), "rows of Y", view.rows());
  check_size("check_view", "number of columns", static_cast<Index>(view.columns.size()), "columns of Y",
             view.cols());
  if (view.name.empty()) throw InputError("a view has no name; give every view a name of its own");
  if (view.rows() == 0)
    throw InputError("view '" + view.name + "' has no rows; at least one sample is needed");
  if (view.cols() == 0)
    throw InputError("view '" + view.name + "' has no columns; at least one is needed beside the id");
  check_ids(view);
  for (Index n = 0; n < view.rows(); ++n)
    for (Index m = 0; m < view.cols(); ++m)
      if (std::isinf(view.Y(n, m)))
        throw InputError("view '" + view.name + "' holds an infinite value for sample '" + view.ids[n] +
                         "' in column '" + view.columns[m] +
                         "'; correct it, or leave the cell empty if it was not measured");
}

View select_columns(View view, const std::vector<std::string>& columns) {
  if (view.columns == columns) return view;
  constexpr Index repeated = -1;
  std::unordered_map<std::string_view, Index> where;
  for (std::size_t m = 0; m < view.columns.size(); ++m) {
    const auto [seen, is_new] = where.try_emplace(view.columns[m], static_cast<Index>(m));
    if (!is_new) seen->second = repeated;
  }
  Matrix Y(view.rows(), static_cast<Index>(columns.size()));
  for (std::size_t m = 0; m < columns.size(); ++m) {
    const auto found = where.find(columns[m]);
    if (found == where.end())
      throw InputError("view '" + view.name + "' lacks the column '" + columns[m] +
                       "' that the model was fitted to; add it, with empty cells if it was not measured");
    if (found->second == repeated)
      throw InputError("view '" + view.name + "' has several columns named '" + columns[m] +
                       "'; rename them, or bring all columns in the order of the fitted table");
    Y.col(static_cast<Index>(m)) = view.Y.col(found->second);
  }
  view.columns = columns;
  view.Y = std::move(Y);
  return view;
}

BoolMatrix observed_mask(MatrixIn Y) { return !Y.array().isNaN(); }

Index count_observed(MatrixIn Y) { return (!Y.array().isNaN()).count(); }

}  // namespace bochner
