#include "bochner/simulate/missing.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

#include "bochner/core/checks.hpp"
#include "bochner/data/held_out.hpp"

namespace bochner {
namespace {

/// N x V: samples absent from views, each view losing round(fraction N) but no sample losing all its views.
BoolMatrix absent_samples(Index N, Index V, double fraction, Rng rng) {
  BoolMatrix absent = BoolMatrix::Constant(N, V, false);
  const Index quota = std::min(static_cast<Index>(std::llround(fraction * static_cast<double>(N))), N - 1);
  if (quota == 0) return absent;
  IndexVector of_view = IndexVector::Zero(V), of_sample = IndexVector::Zero(N);
  for (const Index pair : rng.permutation(N * V)) {
    const Index n = pair / V, v = pair % V;
    if (of_view(v) == quota || of_sample(n) == V - 1) continue;
    absent(n, v) = true;
    ++of_view(v);
    ++of_sample(n);
  }
  return absent;
}

View without(const View& view, const VectorT<bool>& absent) {
  View out{view.name, {}, view.columns, Matrix(view.rows() - absent.count(), view.cols())};
  for (Index n = 0; n < view.rows(); ++n) {
    if (absent(n)) continue;
    out.Y.row(static_cast<Index>(out.ids.size())) = view.Y.row(n);
    out.ids.push_back(view.ids[static_cast<std::size_t>(n)]);
  }
  return out;
}

/// join() orders samples by first appearance, which absences disturb.
Dataset in_order(const Dataset& data, const std::vector<std::string>& ids) {
  std::unordered_map<std::string, Index> row;
  for (Index n = 0; n < data.rows(); ++n) row.emplace(data.ids()[static_cast<std::size_t>(n)], n);
  IndexVector order(static_cast<Index>(ids.size()));
  for (Index n = 0; n < order.size(); ++n) order(n) = row.at(ids[static_cast<std::size_t>(n)]);
  return data.take_rows(order);
}

}  // namespace

Dataset with_missing(std::vector<View> views, const MissingOptions& missing, const Rng& rng) {
  const double below_one = std::nextafter(1.0, 0.0);
  check_at_least("with_missing", "the number of views", static_cast<Index>(views.size()), 1);
  check_between("with_missing", "the fraction of absent samples", missing.samples, 0, below_one);
  check_between("with_missing", "the fraction of missing entries", missing.entries, 0, below_one);
  const std::vector<std::string> ids = views.front().ids;
  for (const View& view : views)
    if (view.ids != ids)
      throw std::invalid_argument("with_missing: the views must have the same ids in the same order");
  const BoolMatrix absent = absent_samples(static_cast<Index>(ids.size()), static_cast<Index>(views.size()),
                                           missing.samples, rng.split("samples"));
  for (std::size_t v = 0; v < views.size(); ++v) {
    views[v] = without(views[v], absent.col(static_cast<Index>(v)));
    if (missing.entries == 0) continue;
    Rng stream = rng.split("entries").split(views[v].name);
    views[v].Y = hide(views[v].Y, held_out_mask(views[v].Y, missing.entries, stream));
  }
  // Two views that lose half of the samples each may have none in common; the caller asked for it.
  return in_order(join(std::move(views), {.rows = JoinOptions::Rows::all, .allow_disjoint = true}), ids);
}

}  // namespace bochner
