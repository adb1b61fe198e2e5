#include "bochner/models/gplvm/assess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "bochner/assess/prediction_scores.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/data/held_out.hpp"
#include "bochner/models/latent/latent_faults.hpp"

namespace bochner {

namespace {

constexpr Index samples_per_dimension = 10;

using Kind = Warning::Kind;

/// How much the bound rose, per measured entry, in the last `window` steps before the start cooled down; infinity where
/// there were too few to tell.
double last_rise(const GplvmFit& fit, Index window, Index observed) {
  std::vector<double> values;
  const Index cooling = std::min(fit.options.cooling, fit.options.steps / 2);
  for (const GplvmStep& step : fit.trace)
    if (step.start == fit.start && step.step <= fit.steps - cooling) values.push_back(step.draw);
  const auto half = static_cast<std::ptrdiff_t>(std::max<Index>(1, window / 2));
  if (static_cast<std::ptrdiff_t>(values.size()) < 2 * half || observed < 1)
    return std::numeric_limits<double>::infinity();
  double before = 0, after = 0;
  for (auto it = values.end() - 2 * half; it != values.end() - half; ++it) before += *it;
  for (auto it = values.end() - half; it != values.end(); ++it) after += *it;
  return (after - before) / static_cast<double>(half * observed);
}

void judge_ending(const GplvmFit& fit, Index observed, std::vector<Warning>& out) {
  constexpr double little = 0.01;  // nats per entry: no plot would show it
  const std::string after = " after " + counted(fit.steps, "step");
  if (fit.status == Status::stopped_by_callback)
    out.push_back({.kind = Kind::stopped, .severity = Severity::error, .message = "it was stopped" + after});
  else if (fit.status == Status::not_finite)
    out.push_back({.kind = Kind::not_finite,
                   .severity = Severity::error,
                   .message = "its objective became non-finite" + after,
                   .remedy = Remedy::smaller_step_size});
  else if (fit.status != Status::converged)
    out.push_back({.kind = Kind::not_settled,
                   .severity = last_rise(fit, fit.options.patience, observed) < little ? Severity::warning
                                                                                       : Severity::error,
                   .message = "it had not converged" + after,
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

/// Gaussian predictions of the views, one for each view of the data.
HeldOutModel model_of(const Dataset& data, const GplvmFit& fit, const LatentPosterior& at,
                      const Compute& compute) {
  HeldOutModel model{.dims = fit.dims(), .scalings = {}, .predict = {}};
  for (const View& view : data.views()) model.scalings.push_back(fit.view(view.name).scaling);
  model.predict = [&](Index v, const Matrix& truth) {
    const Predictive p = predict(fit.view(data.view(v).name), at, compute);
    return HeldOutPrediction{p.mean, log_predictive_density(truth, p.mean, p.y_variance),
                             gaussian_coverage(truth, p.mean, p.y_variance, 0.9)};
  };
  return model;
}

}  // namespace

std::vector<ViewScores> held_out_scores(const Dataset& data, const std::vector<BoolMatrix>& held_out,
                                        const GplvmFit& fit, const HeldOutOptions& options, const Rng& rng,
                                        const Compute& compute) {
  check_size("held_out_scores", "samples of the fit", fit.latent.mean.rows(), "samples", data.rows());
  return held_out_scores(data, held_out, model_of(data, fit, fit.latent, compute), options, rng, compute);
}

std::vector<Warning> fit_warnings(const GplvmFit& fit, const std::vector<ViewScores>& scores,
                                  Index observed) {
  std::vector<Warning> out;
  judge_ending(fit, observed, out);
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
  const Index hidden = count_held_out(held_out);
  ViewAssessment out;
  if (hidden > 0) out.scores = held_out_scores(data, held_out, fit, {}, baselines_rng(fit.seed), compute);
  out.verdict = view_verdict(out.scores, fit_warnings(fit, out.scores, data.observed() - hidden));
  return out;
}

ViewAssessment assess_new(const GplvmFit& fit, const Dataset& data, const std::vector<BoolMatrix>& held_out,
                          const Compute& compute) {
  ViewAssessment out;
  if (count_held_out(held_out) > 0) {
    const LatentPosterior at = embed(fit, hide(data, held_out), compute);
    out.scores = held_out_scores(data, held_out, model_of(data, fit, at, compute), {},
                                 baselines_rng(fit.seed), compute);
  }
  Index entries = 0;
  for (const GplvmView& view : fit.views)
    entries += fit.latent.mean.rows() * static_cast<Index>(view.columns.size());
  out.verdict = view_verdict(out.scores, fit_warnings(fit, out.scores, entries));
  return out;
}

}  // namespace bochner
