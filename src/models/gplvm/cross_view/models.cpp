#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/models/gplvm/cross_view.hpp"
#include "fit.hpp"

namespace bochner {
namespace {

constexpr std::size_t most_sets = 24;         // or as many as there are views
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
    if (!set.empty() && set.size() < V && sets.size() < std::max(most_sets, V) &&
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
                                const Compute& compute,
                                const std::function<bool(Index done, Index of)>& on_predictor) {
  const std::vector<std::vector<std::string>> sets = cross_view_sets(fit, data);
  const auto targets_of = [&](const std::vector<std::string>& from) {
    std::vector<std::string> out;
    for (const GplvmView& view : fit.views)
      if (std::find(from.begin(), from.end(), view.name) == from.end()) out.push_back(view.name);
    return out;
  };
  Index of = 0, done = 0;
  for (const std::vector<std::string>& from : sets) of += Index(targets_of(from).size());
  // Many small problems, one for each thread, unless copies of large tables would fill the memory; a few rounds between two
  // calls of `on_predictor`.
  double entries = 0;
  for (const GplvmView& view : fit.views) entries += double(data.rows()) * double(view.columns.size());
  constexpr double most_bytes = 2e9, copies = 6, shared_bytes = 2e8;
  const double each = copies * sizeof(double) * entries;
  const bool together = double(compute.threads.count()) * (each + std::min(each, shared_bytes)) <= most_bytes;
  const std::size_t round = together ? static_cast<std::size_t>(compute.threads.count()) : 1;
  const Compute inner = together ? Compute(Threads(1)) : compute;
  CrossViewModels out;
  for (std::size_t first = 0; first < sets.size(); first += round) {
    if (on_predictor && !on_predictor(done, of)) break;
    std::vector<std::vector<CrossViewPredictor>> found(std::min(round, sets.size() - first));
    for_each_block(compute, Index(found.size()), 1, [&](Index i, Index) {
      const std::vector<std::string>& from = sets[first + static_cast<std::size_t>(i)];
      Rng own = rng;
      for (const std::string& name : from) own = own.split(name);
      SharedInputs shared(seen_rows(fit, data, from), own.split("inputs"));
      for (const std::string& target : targets_of(from))
        if (std::optional<CrossViewPredictor> one =
                fit_cross_view(fit, data, shared, target, own.split("target").split(target), inner))
          found[static_cast<std::size_t>(i)].push_back(std::move(*one));
    });
    for (std::size_t i = 0; i < found.size(); ++i) {
      done += Index(targets_of(sets[first + i]).size());
      for (CrossViewPredictor& one : found[i]) out.predictors.push_back(std::move(one));
    }
  }
  if (on_predictor) on_predictor(of, of);
  return out;
}

GplvmFit with_cross_views(GplvmFit fit, const Dataset& data, const Compute& compute,
                          const std::function<bool(Index done, Index of)>& on_predictor) {
  if (fit.views.size() < 2) return fit;
  fit.cross_views = fit_cross_views(fit, data, Rng(fit.seed).split("cross views"), compute, on_predictor);
  return fit;
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

namespace {

/// The rows that each predictor answers for: it is the best one for the views that they have besides the target.
std::map<const CrossViewPredictor*, std::vector<Index>> rows_of(const CrossViewModels& models,
                                                                const GplvmFit& fit, std::string_view target,
                                                                const BoolMatrix& measured,
                                                                const std::vector<Index>& rows) {
  std::map<const CrossViewPredictor*, std::vector<Index>> out;
  for (const Index n : rows) {
    std::vector<std::string> present;
    for (const std::size_t v : places_of(measured, n))
      if (fit.views[v].name != target) present.push_back(fit.views[v].name);
    if (const CrossViewPredictor* one = models.choose(present, target)) out[one].push_back(n);
  }
  return out;
}

/// Puts what the predictors say about some rows into `out`.
void predict_rows(const CrossViewModels& models, const GplvmFit& fit, std::string_view target,
                  const Dataset& data, const BoolMatrix& measured, const std::vector<Index>& rows,
                  const Compute& compute, Predictive& out) {
  for (const auto& [predictor, some] : rows_of(models, fit, target, measured, rows)) {
    const Dataset part = data.take_rows(Eigen::Map<const IndexVector>(some.data(), Index(some.size())));
    const Predictive at = predict(*predictor, fit, part, compute);
    out.mean(some, Eigen::all) = at.mean;
    out.f_variance(some, Eigen::all) = at.f_variance;
    out.y_variance(some, Eigen::all) = at.y_variance;
  }
}

}  // namespace

Predictive predict(const CrossViewModels& models, const GplvmFit& fit, std::string_view target,
                   const Dataset& rows, const Compute& compute) {
  const auto M = Index(fit.view(target).columns.size());
  const Matrix none = Matrix::Constant(rows.rows(), M, std::numeric_limits<double>::quiet_NaN());
  Predictive out{none, none, none};
  std::vector<Index> all(static_cast<std::size_t>(rows.rows()));
  std::iota(all.begin(), all.end(), Index{0});
  predict_rows(models, fit, target, rows, measured_views(fit, rows), all, compute, out);
  return out;
}

Predictive predict(const GplvmFit& fit, std::string_view view, const Dataset& seen, const LatentPosterior& at,
                   const Compute& compute) {
  check_size("predict", "rows of the latent", at.mean.rows(), "samples", seen.rows());
  const GplvmView& known = fit.view(view);
  Predictive out = predict(known, at, compute);
  if (fit.cross_views.predictors.empty()) return out;
  const BoolMatrix measured = measured_views(fit, seen);
  const Index v = &known - fit.views.data();
  std::vector<Index> lacking;
  for (Index n = 0; n < seen.rows(); ++n)
    if (!measured(n, v)) lacking.push_back(n);
  predict_rows(fit.cross_views, fit, view, seen, measured, lacking, compute, out);
  return out;
}

}  // namespace bochner
