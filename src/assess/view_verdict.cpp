#include "bochner/assess/view_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bochner {

namespace {

using Kind = Warning::Kind;

/// Whether another guess of the same entries is better, by 5 % and beyond chance: the model's squared errors are larger by more than
/// two standard errors over samples or, where those are not known, the error by three of a root mean square of normal numbers.
bool clearly_better(double other, double model, double gain_over_it, double entries) {
  constexpr double sure = 2, least = 0.05;
  if (!(model > other * (1 + least))) return false;
  return std::isnan(gain_over_it) ? model > other * (1 + 3 / std::sqrt(2 * entries)) : gain_over_it < -sure;
}

void judge_view(const ViewScores& s, std::vector<Warning>& out) {
  if (s.entries == 0) return;
  const double E = static_cast<double>(s.entries);
  const FillErrors& rmse = s.scaled_rmse;
  const std::string where = fmt::format(" in view '{}'", s.view);
  // Columns count alike in these errors, but not in those of a table in its own units: their ratios are what can be said.
  const auto times = [&](double other) { return fmt::format("{:.3g} times", rmse.model / other); };
  if (!(rmse.model < rmse.column_mean))
    out.push_back(
        {.kind = Kind::no_better,
         .severity = Severity::error,
         .message = fmt::format("it predicts held-out entries no better than the column mean{}, with "
                                "{} its error",
                                where, times(rmse.column_mean))});
  else if (clearly_better(rmse.low_rank, rmse.model, s.over_low_rank, E))
    out.push_back({.kind = Kind::linear_better,
                   .severity = Severity::error,
                   .message = fmt::format("it predicts held-out entries worse than PCA{}, with {} its error",
                                          where, times(rmse.low_rank))});
  else if (clearly_better(rmse.neighbours, rmse.model, s.over_neighbours, E))
    out.push_back({.kind = Kind::neighbours_better,
                   .message = fmt::format("the nearest samples predict held-out entries better{}: it has {} "
                                          "their error",
                                          where, times(rmse.neighbours)),
                   .remedy = Remedy::more_dims});
  const double allowed = std::max(0.05, 3 * std::sqrt(0.9 * 0.1 / E));
  if (!(std::abs(s.coverage90 - 0.9) <= allowed))
    out.push_back({.kind = Kind::coverage,
                   .severity = Severity::error,
                   .message = fmt::format("its 90 % intervals hold {} of the held-out entries{}",
                                          percent(s.coverage90), where)});
}

/// Over all held-out entries of all views, columns counting alike.
struct Overall {
  double model = 0, column_mean = 0, low_rank = 0, covered = 0, entries = 0;
  double gain = 0, gain_variance = 0;  // of the views where they are known
};

Overall overall(const std::vector<ViewScores>& scores) {
  Overall out;
  for (const ViewScores& s : scores) {
    if (s.entries == 0) continue;
    const double E = static_cast<double>(s.entries);
    out.entries += E;
    out.model += E * s.scaled_rmse.model * s.scaled_rmse.model;
    out.column_mean += E * s.scaled_rmse.column_mean * s.scaled_rmse.column_mean;
    // Labels have no principal components; the most frequent label stands in for both.
    const double low_rank =
        std::isnan(s.scaled_rmse.low_rank) ? s.scaled_rmse.column_mean : s.scaled_rmse.low_rank;
    out.low_rank += E * low_rank * low_rank;
    out.covered += E * s.coverage90;
    if (!(s.gain_se >= 0)) continue;
    out.gain += s.gain;
    out.gain_variance += s.gain_se * s.gain_se;
  }
  return out;
}

}  // namespace

std::vector<Warning> score_warnings(const std::vector<ViewScores>& scores) {
  std::vector<Warning> out;
  for (const ViewScores& view : scores) judge_view(view, out);
  return out;
}

Verdict view_verdict(const std::vector<ViewScores>& scores, std::vector<Warning> warnings,
                     const std::string& extra, const std::vector<AbsentViewScores>& absent) {
  constexpr double sure = 2;  // standard errors
  const Overall all = overall(scores);
  const bool said = std::any_of(warnings.begin(), warnings.end(),
                                [](const Warning& w) { return w.kind == Kind::no_better; });
  if (!said && all.gain_variance > 0 && all.gain < sure * std::sqrt(all.gain_variance))
    warnings.push_back(
        {.kind = Kind::no_better,
         .severity = Severity::error,
         .message =
             fmt::format("its error on held-out entries is {:.3g} times that of the column mean, which may "
                         "be chance",
                         std::sqrt(all.model / all.column_mean))});
  std::string evidence;
  if (all.entries > 0)
    evidence = fmt::format(
        "its error on held-out entries is {:.2f} times that of the column mean and {:.2f} times that of PCA, "
        "and its "
        "90 % intervals hold {} of them",
        std::sqrt(all.model / all.column_mean), std::sqrt(all.model / all.low_rank),
        percent(all.covered / all.entries));
  if (const std::string more = absent_view_evidence(absent); !more.empty())
    evidence += (evidence.empty() ? "" : "; ") + more;
  Verdict out = make_verdict(std::move(evidence), std::move(warnings), Remedy::hold_out_entries);
  if (out.kind == VerdictKind::good) out.extra = extra;
  return out;
}

}  // namespace bochner
