#include <algorithm>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/data/id_mismatch.hpp"

namespace bochner {
namespace {

using RowOf = std::unordered_map<std::string_view, Index>;  // id -> row

RowOf index_rows(const std::vector<std::string>& ids) {
  RowOf row_of;
  row_of.reserve(ids.size());
  for (std::size_t n = 0; n < ids.size(); ++n) row_of.emplace(ids[n], static_cast<Index>(n));
  return row_of;
}

void check_names(const std::vector<View>& views) {
  for (std::size_t v = 0; v < views.size(); ++v)
    for (std::size_t w = 0; w < v; ++w)
      if (views[v].name == views[w].name)
        throw InputError("two views are named '" + views[v].name + "'; give every view a name of its own");
}

/// Views that share a sample, directly or through others, form a group; all views must be one group.
void check_connected(const std::vector<View>& views, const std::vector<RowOf>& rows_of) {
  const auto meet = [&](std::size_t v, std::size_t w) {
    const bool v_is_smaller = rows_of[v].size() < rows_of[w].size();
    const RowOf& few = rows_of[v_is_smaller ? v : w];
    const RowOf& many = rows_of[v_is_smaller ? w : v];
    return std::any_of(few.begin(), few.end(), [&many](const auto& row) { return many.contains(row.first); });
  };
  std::vector<bool> reached(views.size(), false);
  std::vector<std::size_t> queue{0};
  reached[0] = true;
  for (std::size_t next = 0; next < queue.size(); ++next)
    for (std::size_t w = 0; w < views.size(); ++w)
      if (!reached[w] && meet(queue[next], w)) {
        reached[w] = true;
        queue.push_back(w);
      }
  const auto stranger = std::find(reached.begin(), reached.end(), false);
  if (stranger == reached.end()) return;
  const View& other = views[static_cast<std::size_t>(stranger - reached.begin())];
  throw InputError(explain_id_mismatch(views[0].name, views[0].ids, other.name, other.ids));
}

/// In order of first appearance, view by view.
std::vector<std::string> joined_ids(const std::vector<View>& views, const std::vector<RowOf>& rows_of,
                                    JoinOptions::Rows rows) {
  std::vector<std::string> ids;
  std::unordered_set<std::string_view> taken;
  for (const View& view : views)
    for (const std::string& id : view.ids) {
      const bool wanted =
          rows == JoinOptions::Rows::all ||
          std::all_of(rows_of.begin(), rows_of.end(), [&](const RowOf& r) { return r.contains(id); });
      if (wanted && taken.insert(id).second) ids.push_back(id);
    }
  return ids;
}

[[noreturn]] void nothing_shared(const std::vector<View>& views) {
  const auto fewest = std::min_element(views.begin(), views.end(),
                                       [](const View& a, const View& b) { return a.rows() < b.rows(); });
  throw InputError("no sample is in all " + std::to_string(views.size()) +
                   " views; keep the samples of any view instead of the shared ones, or leave out '" +
                   fewest->name + "', which has the fewest");
}

}  // namespace

Dataset join(std::vector<View> views, const JoinOptions& options) {
  if (views.empty()) throw InputError("no view was given; at least one table is needed");
  for (const View& view : views) check_view(view);
  check_names(views);

  std::vector<RowOf> rows_of;  // keys point into the ids of `views`
  for (const View& view : views) rows_of.push_back(index_rows(view.ids));
  if (!options.allow_disjoint) check_connected(views, rows_of);
  const std::vector<std::string> ids = joined_ids(views, rows_of, options.rows);
  if (ids.empty()) nothing_shared(views);

  const Index N = static_cast<Index>(ids.size());
  std::vector<VectorT<bool>> present;
  for (std::size_t v = 0; v < views.size(); ++v) {
    View& view = views[v];
    present.emplace_back(VectorT<bool>::Constant(N, true));
    if (view.ids == ids) continue;  // the common case moves the table instead of copying it
    Matrix Y(N, view.cols());
    for (Index n = 0; n < N; ++n) {
      const auto found = rows_of[v].find(ids[n]);
      present.back()(n) = found != rows_of[v].end();
      if (present.back()(n))
        Y.row(n) = view.Y.row(found->second);
      else
        Y.row(n).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
    view.Y = std::move(Y);
    view.ids = ids;
  }
  return {std::move(views), std::move(present)};
}

}  // namespace bochner
