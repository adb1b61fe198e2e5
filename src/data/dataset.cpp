#include "bochner/data/dataset.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {

Dataset::Dataset(std::vector<View> views, std::vector<VectorT<bool>> present)
    : views_(std::move(views)), present_(std::move(present)) {
  for (const View& view : views_) observed_.push_back(count_observed(view.Y));
}

Index Dataset::view_index(std::string_view name) const {
  for (std::size_t v = 0; v < views_.size(); ++v)
    if (views_[v].name == name) return static_cast<Index>(v);
  std::string message = "there is no view '" + std::string(name) + "'; the views are ";
  for (std::size_t v = 0; v < views_.size(); ++v) message += (v ? ", '" : "'") + views_[v].name + "'";
  throw InputError(message);
}

Index Dataset::observed() const { return std::accumulate(observed_.begin(), observed_.end(), Index{0}); }

double Dataset::fraction_observed(Index v) const {
  return static_cast<double>(observed(v)) / static_cast<double>(view(v).Y.size());
}

double Dataset::fraction_observed() const {
  Index entries = 0;
  for (const View& view : views_) entries += view.Y.size();
  return static_cast<double>(observed()) / static_cast<double>(entries);
}

std::vector<Index> Dataset::empty_rows() const {
  std::vector<Index> empty;
  for (Index n = 0; n < rows(); ++n)
    if (std::all_of(views_.begin(), views_.end(),
                    [n](const View& view) { return view.Y.row(n).array().isNaN().all(); }))
      empty.push_back(n);
  return empty;
}

Dataset Dataset::take_rows(const IndexVector& taken) const {
  check_at_least("Dataset::take_rows", "number of rows", taken.size(), 1);
  VectorT<bool> seen = VectorT<bool>::Constant(rows(), false);
  for (const Index n : taken) {
    check_between("Dataset::take_rows", "row", static_cast<double>(n), 0, static_cast<double>(rows() - 1));
    if (std::exchange(seen(n), true))
      throw std::invalid_argument("Dataset::take_rows: row " + std::to_string(n) + " is taken twice");
  }
  std::vector<View> views;
  std::vector<VectorT<bool>> present;
  for (std::size_t v = 0; v < views_.size(); ++v) {
    View view{
        .name = views_[v].name, .ids = {}, .columns = views_[v].columns, .Y = views_[v].Y(taken, Eigen::all)};
    for (const Index n : taken) view.ids.push_back(ids()[n]);
    views.push_back(std::move(view));
    present.emplace_back(present_[v](taken));
  }
  return {std::move(views), std::move(present)};
}

Dataset Dataset::take_columns(const std::vector<std::vector<Index>>& columns) const {
  check_size("Dataset::take_columns", "number of lists", static_cast<Index>(columns.size()),
             "number of views", view_count());
  std::vector<View> views;
  for (std::size_t v = 0; v < views_.size(); ++v) {
    const View& from = views_[v];
    check_at_least("Dataset::take_columns", "number of columns", static_cast<Index>(columns[v].size()), 1);
    View view{.name = from.name, .ids = from.ids, .columns = {}, .Y = {}};
    for (const Index m : columns[v]) {
      check_between("Dataset::take_columns", "column", static_cast<double>(m), 0,
                    static_cast<double>(from.cols() - 1));
      view.columns.push_back(from.columns[static_cast<std::size_t>(m)]);
    }
    view.Y = from.Y(Eigen::all, columns[v]);
    views.push_back(std::move(view));
  }
  return {std::move(views), present_};
}

Dataset Dataset::with_values(std::vector<Matrix> values) const {
  check_size("Dataset::with_values", "number of matrices", static_cast<Index>(values.size()),
             "number of views", view_count());
  std::vector<View> views;
  for (std::size_t v = 0; v < views_.size(); ++v) {
    check_size("Dataset::with_values", "rows of a matrix", values[v].rows(), "rows of its view", rows());
    check_size("Dataset::with_values", "columns of a matrix", values[v].cols(), "columns of its view",
               views_[v].cols());
    views.push_back(
        {.name = views_[v].name, .ids = ids(), .columns = views_[v].columns, .Y = std::move(values[v])});
    check_view(views.back());
  }
  return {std::move(views), present_};
}

}  // namespace bochner
