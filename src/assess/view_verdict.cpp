#include "bochner/assess/view_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bochner {

namespace {

using Kind = Warning::Kind;

void judge_view(const ViewScores& s, std::vector<Warning>& out) {
  if (s.entries == 0) return;
  const double E = static_cast<double>(s.entries);
  const double chance = 3 / std::sqrt(2 * E);  // three standard errors of a root mean square, relative
  const FillErrors& rmse = s.scaled_rmse;
  const std::string where = fmt::format(" in view '{}'", s.view);
  if (!(rmse.model < rmse.column_mean))
    out.push_back(
        {.kind = Kind::no_better,
         .severity = Severity::error,
         .message = fmt::format("it predicts held-out entries no better than the column mean{}, with an "
                                "error of {:.3g} against {:.3g}",
                                where, s.rmse.model, s.rmse.column_mean)});
  else if (rmse.model > rmse.low_rank * (1 + std::max(0.05, chance)))
    out.push_back(
        {.kind = Kind::linear_better,
         .severity = Severity::error,
         .message = fmt::format("it predicts held-out entries worse than PCA{}, with an error of {:.3g} "
                                "against {:.3g}",
                                where, s.rmse.model, s.rmse.low_rank)});
  else if (rmse.model > rmse.neighbours * (1 + std::max(0.05, chance)))
    out.push_back(
        {.kind = Kind::neighbours_better,
         .message = fmt::format("the nearest samples predict held-out entries better{}, with an error of "
                                "{:.3g} against {:.3g}",
                                where, s.rmse.neighbours, s.rmse.model),
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
