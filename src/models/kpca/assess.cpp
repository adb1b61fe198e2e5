#include "bochner/models/kpca/assess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/assess/mean_se.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/data/splits.hpp"

namespace bochner {

namespace {

/// The samples to do without; nothing if too few would be left.
std::optional<Split> hold_out_samples(const Dataset& data, double holdout, std::uint64_t seed) {
  // The others are never learned from, and some of their views could not be judged.
  const IndexVector whole = complete_rows(data);
  const Index W = whole.size(), held = Index(std::ceil(holdout * double(W)));
  if (W - held < 3) return std::nullopt;
  Rng rng = Rng(seed).split("holdout");
  const IndexVector order = rng.permutation(W);
  Split out{.train = IndexVector(W - held), .test = IndexVector(held)};
  for (Index i = 0; i < W; ++i) (i < held ? out.test(i) : out.train(i - held)) = whole(order(i));
  std::sort(out.test.begin(), out.test.end());
  std::sort(out.train.begin(), out.train.end());
  return out;
}

CrossView score_view(const KpcaFit& fit, Index v, const Dataset& out, const Compute& compute) {
  const KpcaView& view = fit.views[static_cast<std::size_t>(v)];
  const Index held = out.rows();
  const Matrix guess = predict_from_others(fit, v, out, compute), &truth = out.view(view.name).Y;
  const Vector mean = view.scaling.undo(view.x_mean.transpose()).row(0);
  CrossView score{.view = view.name, .samples = held};
  double left = 0, total = 0, right = 0;
  MeanSe gain;
  for (Index n = 0; n < held; ++n) {
    // Columns in units of their scale, as the model sees them.
    const double error =
        ((guess.row(n) - truth.row(n)).transpose().array() / view.scaling.scale.array()).square().sum();
    const double spread =
        ((truth.row(n).transpose() - mean).array() / view.scaling.scale.array()).square().sum();
    left += error;
    total += spread;
    gain.add(spread - error);
    Index a = 0, b = 0;
    guess.row(n).maxCoeff(&a);
    truth.row(n).maxCoeff(&b);
    right += a == b;
  }
  score.r2 = total > 0 ? 1 - left / total : 0;
  score.better = gain.mean() > 2 * gain.se();  // false where there is a single sample
  if (view.classes) score.accuracy = right / double(held);
  return score;
}

std::vector<Warning> ending_warnings(const KpcaFit& fit) {
  using Kind = Warning::Kind;
  if (fit.status == Status::stopped_by_callback)
    return {{.kind = Kind::stopped, .severity = Severity::error, .message = "it was stopped early"}};
  if (fit.status == Status::not_finite)
    return {{.kind = Kind::not_finite,
             .severity = Severity::error,
             .message = "its objective became non-finite",
             .remedy = Remedy::none}};
  return {};
}

}  // namespace

std::vector<CrossView> cross_view_scores(const Dataset& data, const KpcaOptions& options, std::uint64_t seed,
                                         double holdout, const Compute& compute) {
  if (data.view_count() < 2 || holdout <= 0) return {};
  const std::optional<Split> split = hold_out_samples(data, holdout, seed);
  if (!split) return {};
  const Dataset in = data.take_rows(split->train), out = data.take_rows(split->test);
  const KpcaFit fit = fit_kpca(in, options, seed, compute);
  std::vector<CrossView> all;
  for (Index v = 0; v < data.view_count(); ++v) all.push_back(score_view(fit, v, out, compute));
  return all;
}

Verdict kpca_verdict(const KpcaFit& fit, const std::vector<CrossView>& scores, Index samples) {
  constexpr double most_left_out = 0.5;
  std::vector<Warning> warnings = ending_warnings(fit);
  if (const auto learned = static_cast<Index>(fit.ids.size());
      double(samples - learned) > most_left_out * double(samples))
    warnings.push_back(
        {.kind = Warning::Kind::few_samples,
         .severity = Severity::error,
         .message = fmt::format("it learned from {} of {}, those without missing entries; a latent variable "
                                "model ('bochner fit', MultiViewGPLVM) learns from all",
                                learned, counted(samples, "sample"))});
  if (fit.views.size() < 2 && warnings.empty())
    return {.kind = VerdictKind::unjudged,
            .opening =
                "no problems detected, but one view alone is not predicted from others, so predictions were "
                "not evaluated",
            .evidence = ""};
  std::string evidence;
  bool any = false;
  for (const CrossView& s : scores) {
    any = any || s.better;
    evidence += fmt::format("{}{:.3f} of view '{}'",
                            evidence.empty() ? "from the other views it predicts R^2 " : ", ", s.r2, s.view);
    if (!s.better)
      warnings.push_back(
          {.kind = Warning::Kind::no_better,
           .message = fmt::format(
               "view '{}' is predicted from the others no better than by its mean, or by chance alone",
               s.view)});
  }
  if (!scores.empty()) {
    evidence += fmt::format(" on {}", counted(scores.front().samples, "held-out sample"));
    if (!any)
      for (Warning& warning : warnings) warning.severity = Severity::error;
  }
  return make_verdict(std::move(evidence), std::move(warnings), Remedy::hold_out_samples);
}

KpcaAssessment assess(const KpcaFit& fit, const Dataset& data, const KpcaOptions& options, std::uint64_t seed,
                      double holdout, const Compute& compute) {
  KpcaAssessment out{.scores = cross_view_scores(data, options, seed, holdout, compute), .verdict = {}};
  out.verdict = kpca_verdict(fit, out.scores, data.rows());
  return out;
}

KpcaAssessment assess_new(const KpcaFit& fit, const Dataset& data, const Compute& compute) {
  KpcaAssessment out;
  const bool all_views = static_cast<std::size_t>(data.view_count()) == fit.views.size();
  const IndexVector whole = complete_rows(data);
  if (fit.views.size() > 1 && all_views && whole.size() > 0) {
    const Dataset rows = data.take_rows(whole);
    for (std::size_t v = 0; v < fit.views.size(); ++v)
      out.scores.push_back(score_view(fit, static_cast<Index>(v), rows, compute));
  }
  out.verdict = kpca_verdict(fit, out.scores);
  return out;
}

}  // namespace bochner
