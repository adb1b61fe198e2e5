#include "bochner/models/gplvm/assess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "bochner/assess/prediction_scores.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/data/held_out_views.hpp"
#include "bochner/linalg/low_rank.hpp"
#include "bochner/models/gplvm/calibrate.hpp"
#include "bochner/models/latent/latent_faults.hpp"
#include "bochner/models/latent/options_by_view.hpp"

namespace bochner {

namespace {

constexpr Index samples_per_dimension = 10;

using Kind = Warning::Kind;

/// How much the bound may have risen, per measured entry, from one half of the last `window` steps before the start cooled down to
/// the other, two standard errors of single draws added; infinity where there were too few to tell.
double last_rise(const GplvmFit& fit, Index window, Index observed) {
  std::vector<double> values;
  const Index cooling = std::min(fit.options.cooling, fit.options.steps / 4);
  for (const GplvmStep& step : fit.trace)
    if (step.start == fit.start && step.step <= fit.steps - cooling) values.push_back(step.draw);
  const Index half = window / 2, count = Index(values.size());
  if (count < 2 * half || observed < 1) return std::numeric_limits<double>::infinity();
  const auto last = Eigen::Map<const Vector>(values.data(), count).tail(2 * half);
  const auto variance = [&](const auto& draws) {  // of their mean
    return (draws.array() - draws.mean()).square().sum() / (double(half) * double(half - 1));
  };
  const double rise = last.tail(half).mean() - last.head(half).mean(),
               se = std::sqrt(variance(last.head(half)) + variance(last.tail(half)));
  return (rise + 2 * se) / double(observed);
}

/// A best start that no other one confirms: the bound has several optima, and a further start might find a better one.
void judge_starts(const GplvmFit& fit, std::vector<Warning>& out) {
  constexpr double far = 0.01;  // of what the best start has gained
  if (fit.start_objectives.size() < 2 || fit.trace.empty() || fit.status == Status::stopped_by_callback)
    return;
  std::vector<double> bounds = fit.start_objectives;
  std::erase_if(bounds, [](double bound) { return !std::isfinite(bound); });
  if (bounds.size() < 2) return;
  std::partial_sort(bounds.begin(), bounds.begin() + 2, bounds.end(), std::greater<>());
  const double gained = bounds[0] - fit.trace.front().objective, apart = bounds[0] - bounds[1];
  if (!(gained > 0) || !(apart > far * gained)) return;
  out.push_back(
      {.kind = Kind::starts_differ,
       .message = fmt::format("the best two of its {} starts ended at bounds {:.3g} % of their gain apart, "
                              "and the best one was kept",
                              bounds.size(), 100 * apart / gained),
       .remedy = Remedy::more_restarts});
}

void judge_ending(const GplvmFit& fit, Index observed, std::vector<Warning>& out) {
  constexpr double little = 0.01;    // nats per entry: no plot would show it
  constexpr Index flat_window = 80;  // steps
  const std::string after = " after " + counted(fit.steps, "step");
  if (fit.status == Status::stopped_by_callback)
    out.push_back({.kind = Kind::stopped, .severity = Severity::error, .message = "it was stopped" + after});
  else if (fit.status == Status::not_finite)
    out.push_back({.kind = Kind::not_finite,
                   .severity = Severity::error,
                   .message = "its objective became non-finite" + after,
                   .remedy = Remedy::smaller_step_size});
  else if (fit.status != Status::converged)
    out.push_back(
        {.kind = Kind::not_settled,
         .severity = last_rise(fit, flat_window, observed) < little ? Severity::warning : Severity::error,
         .message = "it had not converged" + after +
                    (fit.steps < fit.options.steps ? " of at most " + std::to_string(fit.options.steps) : ""),
         .remedy = Remedy::more_steps});
}

/// "dimension 2", "dimensions 1, 2 and 4"
std::string dimensions(const std::vector<Index>& list) {
  std::string out = list.size() == 1 ? "dimension " : "dimensions ";
  for (std::size_t i = 0; i < list.size(); ++i)
    out += (i == 0 ? "" : i + 1 == list.size() ? " and " : ", ") + std::to_string(list[i] + 1);
  return out;
}

void judge_latent(const GplvmFit& fit, std::vector<Warning>& out) {
  const LatentFaults faults = latent_faults(fit.latent);
  const auto left = fit.dims() - static_cast<Index>(faults.collapsed.size());
  if (faults.homogeneous)
    out.push_back(homogeneous_warning());
  else if (!faults.collapsed.empty())
    out.push_back({.kind = Kind::collapsed,
                   .message = fmt::format("{} {} unused; {} {}", dimensions(faults.collapsed),
                                          faults.collapsed.size() == 1 ? "is" : "are",
                                          counted(left, "dimension"), left == 1 ? "suffices" : "suffice"),
                   .remedy = Remedy::fewer_dims,
                   .suggested = left});
  for (const auto& [a, b] : faults.duplicated)
    out.push_back({.kind = Kind::duplicated,
                   .message = fmt::format("its dimensions {} and {} are redundant", a + 1, b + 1)});
  if (fit.latent.mean.rows() < samples_per_dimension * fit.dims())
    out.push_back({.kind = Kind::few_samples,
                   .message = fmt::format("it has {} samples, fewer than ten for each of its {}",
                                          fit.latent.mean.rows(), counted(fit.dims(), "dimension"))});
}

/// Variance of an entry that the leading principal components of a view leave, scaled units; missing entries count as means.
double linear_residual(const GplvmView& view, const View& table, Index components, std::uint64_t seed,
                       const Compute& compute) {
  Matrix Y = view.scaling.apply(select_columns(table, view.columns).Y);
  const double measured = std::max(1.0, double(count_observed(Y)));
  Y = Y.array().isNaN().select(0.0, Y);
  const Index q = std::min({components, Y.rows(), Y.cols()});
  const double taken = randomized_svd(Y, q, {}, Rng(seed), compute).values.squaredNorm();
  return std::max(0.0, Y.squaredNorm() - taken) / measured;
}

/// Noise that was fixed, or that began too large, as the cause of what is wrong. In the linear model a dimension is zero at
/// the optimum unless its eigenvalue exceeds the noise [li2024, Prop. 3.3]: more noise than as many principal components leave
/// pushes dimensions out. Once they are out, what they would explain counts as noise, and learning it does not lead back.
void judge_noise(const GplvmFit& fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                 const std::vector<ViewScores>& scores, const Compute& compute, std::vector<Warning>& out) {
  constexpr double far_above = 2, far_below = 10;
  const std::vector<GplvmViewOptions> options = options_by_view(fit.options, Index(fit.views.size()));
  const bool collapsed = !latent_faults(fit.latent).collapsed.empty();
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    const bool fixed = options[v].fixed_noise.has_value();
    const bool began_high = options[v].first_noise > GplvmViewOptions{}.first_noise;
    if (!fixed && !(collapsed && began_high)) continue;
    const GplvmView& view = fit.views[v];
    const double noise = fixed ? *options[v].fixed_noise : view.noise_variance;
    View table = data.view(view.name);
    if (!held_out.empty())
      table.Y = hide(table.Y, held_out[static_cast<std::size_t>(data.view_index(view.name))]);
    const double left = linear_residual(view, table, fit.dims(), fit.seed, compute);
    if (!fixed) {
      if (std::min(noise, options[v].first_noise) > far_above * left)
        out.push_back(
            {.kind = Kind::noise_too_large,
             .message = fmt::format(
                 "the noise variance of view '{}' began at {:.3g} and ended at {:.3g}, but {} leave {:.3g}: "
                 "so large a start collapses dimensions, and learning it does not lead back",
                 view.name, options[v].first_noise, noise, counted(fit.dims(), "principal component"), left),
             .remedy = Remedy::smaller_noise_start});
      continue;
    }
    if (collapsed && noise > far_above * left)
      out.push_back({.kind = Kind::noise_too_large,
                     .message = fmt::format(
                         "the noise variance of view '{}' is fixed at {:.3g}, but {} leave {:.3g}: so "
                         "much noise collapses dimensions",
                         view.name, noise, counted(fit.dims(), "principal component"), left),
                     .remedy = Remedy::estimate_noise});
    for (const ViewScores& s : scores)
      if (s.view == view.name && s.entries > 0 && std::pow(s.scaled_rmse.model, 2) > far_below * noise)
        out.push_back({.kind = Kind::noise_too_small,
                       .message = fmt::format(
                           "the noise variance of view '{}' is fixed at {:.3g}, but held-out entries "
                           "have a mean squared error of {:.3g}: the latents fit noise",
                           view.name, noise, std::pow(s.scaled_rmse.model, 2)),
                       .remedy = Remedy::estimate_noise});
  }
}

/// Without the entries of columns that do not vary in what was seen: nothing was learned about them.
std::vector<BoolMatrix> varying_entries(std::vector<BoolMatrix> held_out, const Dataset& data,
                                        const GplvmFit& fit) {
  for (std::size_t v = 0; v < held_out.size(); ++v)
    for (const Index m : fit.view(data.view(Index(v)).name).constant) held_out[v].col(m).setConstant(false);
  return held_out;
}

/// `data` without the entries of `all` that are not among those that are scored: hidden from the baselines as they were from the fit.
Dataset hide_others(const Dataset& data, std::vector<BoolMatrix> all, const std::vector<BoolMatrix>& scored) {
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = (all[v].array() && !scored[v].array()).matrix();
  return hide(data, all);
}

/// Gaussian predictions of the views, one for each view of the data.
HeldOutModel model_of(const Dataset& data, const GplvmFit& fit, const LatentPosterior& at,
                      bool was_calibrated, const Compute& compute) {
  HeldOutModel model{.dims = fit.dims(), .scalings = {}, .predict = {}};
  for (const View& view : data.views()) model.scalings.push_back(fit.view(view.name).scaling);
  model.predict = [&, was_calibrated](Index v, const Matrix& truth) {
    const GplvmView& view = fit.view(data.view(v).name);
    const Predictive p = predict(view, at, compute);
    const Matrix variance = was_calibrated && view.calibration != 1
                                ? cross_calibrated(truth, p.mean, p.y_variance, view.calibration)
                                : p.y_variance;
    HeldOutPrediction out{p.mean, log_predictive_density(truth, p.mean, variance),
                          gaussian_coverage(truth, p.mean, variance, 0.9)};
    if (view.name == fit.label_view) return out;
    out.sd = variance.array().sqrt();
    out.pit = ((truth - p.mean).array() / out.sd.array()).unaryExpr([](double z) {
      return 0.5 * std::erfc(-z / std::sqrt(2.0));
    });
    return out;
  };
  return model;
}

/// Whole views of samples with latents `at`, hidden by `views`.
std::vector<AbsentViewScores> absent_scores(const GplvmFit& fit, const Dataset& data, const Dataset& seen,
                                            const std::vector<BoolMatrix>& views, const LatentPosterior& at,
                                            const Compute& compute) {
  std::vector<AbsentViewScores> out;
  if (count_held_out(views) == 0) return out;
  for (Index v = 0; v < data.view_count(); ++v) {
    const std::string& name = data.view(v).name;
    const Matrix truth = held_out_values(data.view(v).Y, views[static_cast<std::size_t>(v)]);
    out.push_back(absent_view_scores(name, truth, predict(fit, name, seen, at, compute),
                                     fit_scaling(seen.view(v).Y, ScalingKind::centre).centre,
                                     fit.view(name).scaling));
  }
  return out;
}

/// Scores and verdict of a fit at latents of samples. `was_calibrated`: by these very entries.
ViewAssessment assess_at(const GplvmFit& fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                         const LatentPosterior& at, bool was_calibrated, Index observed,
                         const Compute& compute) {
  ViewAssessment out;
  if (count_held_out(held_out) > 0) {
    const HeldOutParts parts = split_held_out(data, held_out);
    const Dataset without_views = hide(data, parts.views), seen = hide(data, held_out);
    const std::vector<BoolMatrix> entries = varying_entries(parts.entries, data, fit);
    if (count_held_out(entries) > 0)
      out.scores = held_out_scores(hide_others(without_views, parts.entries, entries), entries,
                                   model_of(data, fit, at, was_calibrated, compute), {},
                                   baselines_rng(fit.seed), compute);
    out.absent = absent_scores(fit, data, seen, parts.views, at, compute);
  }
  std::vector<Warning> warnings = fit_warnings(fit, out.scores, observed);
  if (was_calibrated) judge_noise(fit, data, held_out, out.scores, compute, warnings);
  // Zeros and ones of labels are no Gaussian measurements: they are scored, not judged.
  std::vector<AbsentViewScores> judged;
  for (const AbsentViewScores& s : out.absent)
    if (s.view != fit.label_view) judged.push_back(s);
  for (Warning& warning : absent_view_warnings(judged)) warnings.push_back(std::move(warning));
  out.verdict = view_verdict(out.scores, std::move(warnings), "", judged);
  return out;
}

}  // namespace

std::vector<ViewScores> held_out_scores(const Dataset& data, const std::vector<BoolMatrix>& held_out,
                                        const GplvmFit& fit, const HeldOutOptions& options, const Rng& rng,
                                        const Compute& compute) {
  check_size("held_out_scores", "samples of the fit", fit.latent.mean.rows(), "samples", data.rows());
  const std::vector<BoolMatrix> entries = varying_entries(held_out, data, fit);
  return held_out_scores(hide_others(data, held_out, entries), entries,
                         model_of(data, fit, fit.latent, false, compute), options, rng, compute);
}

std::vector<Warning> fit_warnings(const GplvmFit& fit, const std::vector<ViewScores>& scores,
                                  Index observed) {
  std::vector<Warning> out;
  judge_ending(fit, observed, out);
  judge_starts(fit, out);
  judge_latent(fit, out);
  for (Warning& warning : score_warnings(scores)) out.push_back(std::move(warning));
  if (fit.jitter > 0)
    out.push_back(
        {.kind = Kind::jitter,
         .message = fmt::format("a factorisation needed {:.3g} on its diagonal, so directions are nearly "
                                "redundant",
                                fit.jitter)});
  return out;
}

ViewAssessment assess(const GplvmFit& fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                      const Compute& compute) {
  check_size("assess", "samples of the fit", fit.latent.mean.rows(), "samples", data.rows());
  return assess_at(fit, data, held_out, fit.latent, true, data.observed() - count_held_out(held_out),
                   compute);
}

ViewAssessment assess_new(const GplvmFit& fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                          const Compute& compute) {
  Index entries = 0;
  for (const GplvmView& view : fit.views)
    entries += fit.latent.mean.rows() * static_cast<Index>(view.columns.size());
  return assess_at(fit, data, held_out, embed(fit, hide(data, held_out), compute), false, entries, compute);
}

}  // namespace bochner
