#include "bochner/models/forecast/assess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bochner {

BacktestScores backtest_scores(const std::vector<BacktestFold>& folds) {
  double inside = 0, count = 0;
  for (const BacktestFold& f : folds)
    if (f.measured > 0) {
      inside += f.coverage * double(f.measured);
      count += double(f.measured);
    }
  return {overall_rmse(folds), overall_rmse(folds, &BacktestFold::naive_rmse),
          overall_rmse(folds, &BacktestFold::ar_rmse), overall_rmse(folds, &BacktestFold::smoothing_rmse),
          inside / count};
}

ForecastAssessment assess(const std::vector<BacktestFold>& folds, bool tuned) {
  ForecastAssessment out{.scores = backtest_scores(folds), .verdict = {}};
  const BacktestScores& s = out.scores;
  if (!folds.empty() && !std::isfinite(s.rmse)) {
    out.verdict = {.kind = VerdictKind::unjudged,
                   .opening = "no problems detected, but all values of the backtest folds are missing",
                   .evidence = ""};
    return out;
  }
  std::vector<Warning> warnings;
  if (tuned)
    warnings.push_back({.kind = Warning::Kind::tuned_on_folds,
                        .message = "the options were tuned on these folds, so the scores are optimistic"});
  std::string found;
  if (!folds.empty())
    found = fmt::format(
        "its error on the backtest is {:.2f} times that of the seasonal naive forecast, {:.2f} times that of "
        "linear autoregression and {:.2f} times that of exponential smoothing",
        s.rmse / s.naive_rmse, s.rmse / s.ar_rmse, s.rmse / s.smoothing_rmse);
  if (!folds.empty() && !(s.rmse < std::min({s.naive_rmse, s.ar_rmse, s.smoothing_rmse})))
    warnings.push_back({.kind = Warning::Kind::no_better,
                        .severity = Severity::error,
                        .message = found,
                        .remedy = Remedy::tune});
  out.verdict = make_verdict(std::move(found), std::move(warnings), Remedy::backtest, "forecast");
  return out;
}

}  // namespace bochner
