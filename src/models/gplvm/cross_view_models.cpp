#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "bochner/models/gplvm/cross_view.hpp"
#include "cross_view_fit.hpp"

namespace bochner {
namespace {

constexpr std::size_t most_sets = 24;
constexpr std::size_t all_subsets_up_to = 3;  // views

/// By row and view of the fit: whether anything is measured. Views that `data` lacks are absent.
BoolMatrix measured_views(const GplvmFit& fit, const Dataset& data) {
  BoolMatrix out = BoolMatrix::Constant(data.rows(), Index(fit.views.size()), false);
  for (std::size_t v = 0; v < fit.views.size(); ++v)
    for (const View& view : data.views()) {
      if (view.name != fit.views[v].name) continue;
      const Matrix Y = select_columns(view, fit.views[v].columns).Y;
      VectorT<bool> silent = VectorT<bool>::Constant(Y.cols(), false);
      for (const std::vector<Index>* list : {&fit.views[v].unmeasured, &fit.views[v].constant})
        for (const Index m : *list) silent(m) = true;
      for (Index n = 0; n < Y.rows(); ++n)
        for (Index m = 0; m < Y.cols() && !out(n, Index(v)); ++m)
          out(n, Index(v)) = !silent(m) && !std::isnan(Y(n, m));
    }
  return out;
}

using Places = std::vector<std::size_t>;  // of views, ascending

Places places_of(const BoolMatrix& measured, Index n) {
  Places out;
  for (Index v = 0; v < measured.cols(); ++v)
    if (measured(n, v)) out.push_back(static_cast<std::size_t>(v));
  return out;
}

}  // namespace

std::vector<std::vector<std::string>> cross_view_sets(const GplvmFit& fit, const Dataset& data) {
  const std::size_t V = fit.views.size();
  std::vector<Places> sets;
  const auto add = [&](const Places& set) {
    if (!set.empty() && set.size() < V && sets.size() < most_sets &&
        std::find(sets.begin(), sets.end(), set) == sets.end())
      sets.push_back(set);
  };
  for (std::size_t left_out = 0; left_out < V; ++left_out) {
    Places set;
    for (std::size_t v = 0; v < V; ++v)
      if (v != left_out) set.push_back(v);
    add(set);
  }
  if (V <= all_subsets_up_to)
    for (std::size_t bits = 1; bits < (std::size_t{1} << V); ++bits) {
      Places set;
      for (std::size_t v = 0; v < V; ++v)
        if (bits >> v & 1) set.push_back(v);
      add(set);
    }
  std::map<Places, Index> frequency;
  const BoolMatrix measured = measured_views(fit, data);
  for (Index n = 0; n < measured.rows(); ++n) ++frequency[places_of(measured, n)];
  std::vector<std::pair<Index, Places>> by_frequency;
  for (const auto& [set, count] : frequency) by_frequency.emplace_back(-count, set);
  std::sort(by_frequency.begin(), by_frequency.end());
  for (const auto& entry : by_frequency) add(entry.second);
  for (std::size_t v = 0; v < V; ++v) add({v});

  std::vector<std::vector<std::string>> out;
  for (const Places& set : sets) {
    out.emplace_back();
    for (const std::size_t v : set) out.back().push_back(fit.views[v].name);
  }
  return out;
}

CrossViewModels fit_cross_views(const GplvmFit& fit, const Dataset& data, const Rng& rng,
                                const Compute& compute) {
  CrossViewModels out;
  for (const std::vector<std::string>& from : cross_view_sets(fit, data)) {
    const SeenRows seen = seen_rows(fit, data, from);
    for (const GplvmView& view : fit.views) {
      if (std::find(from.begin(), from.end(), view.name) != from.end()) continue;
      Rng own = rng.split(view.name);
      for (const std::string& name : from) own = own.split(name);
      if (std::optional<CrossViewPredictor> one = fit_cross_view(fit, data, seen, view.name, own, compute))
        out.predictors.push_back(std::move(*one));
    }
  }
  return out;
}

const CrossViewPredictor* CrossViewModels::choose(const std::vector<std::string>& present,
                                                  std::string_view target) const {
  const CrossViewPredictor* best = nullptr;
  for (const CrossViewPredictor& one : predictors) {
    if (one.target != target) continue;
    const std::vector<std::string>& from = one.inputs.from;
    if (!std::all_of(from.begin(), from.end(), [&](const std::string& name) {
          return std::find(present.begin(), present.end(), name) != present.end();
        }))
      continue;
    if (best == nullptr || from.size() > best->inputs.from.size() ||
        (from.size() == best->inputs.from.size() && one.explained > best->explained))
      best = &one;
  }
  return best;
}

Predictive predict(const CrossViewModels& models, const GplvmFit& fit, std::string_view target,
                   const Dataset& rows, const Compute& compute) {
  const auto M = Index(fit.view(target).columns.size());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix none = Matrix::Constant(rows.rows(), M, nan);
  Predictive out{none, none, none};
  const BoolMatrix measured = measured_views(fit, rows);
  std::map<const CrossViewPredictor*, std::vector<Index>> rows_of;
  for (Index n = 0; n < rows.rows(); ++n) {
    std::vector<std::string> present;
    for (const std::size_t v : places_of(measured, n))
      if (fit.views[v].name != target) present.push_back(fit.views[v].name);
    if (const CrossViewPredictor* one = models.choose(present, target)) rows_of[one].push_back(n);
  }
  for (const auto& [predictor, some] : rows_of) {
    const Dataset part = rows.take_rows(Eigen::Map<const IndexVector>(some.data(), Index(some.size())));
    const Predictive at = predict(*predictor, fit, part, compute);
    out.mean(some, Eigen::all) = at.mean;
    out.f_variance(some, Eigen::all) = at.f_variance;
    out.y_variance(some, Eigen::all) = at.y_variance;
  }
  return out;
}

}  // namespace bochner
