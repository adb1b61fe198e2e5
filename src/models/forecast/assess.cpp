#include "bochner/models/forecast/assess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/counted.hpp"

namespace bochner {
namespace {

using Kind = Warning::Kind;

struct Baseline {
  const char* name;
  double BacktestFold::*error;
};
constexpr Baseline baselines[]{{"the seasonal naive forecast", &BacktestFold::naive_rmse},
                               {"linear autoregression", &BacktestFold::ar_rmse},
                               {"exponential smoothing", &BacktestFold::smoothing_rmse},
                               {"the mean of the past", &BacktestFold::mean_rmse}};

/// Of a quantity that is known in each of n folds, weighted by their measured values.
struct FoldMean {
  Index folds = 0;
  double mean = 0, se = 0;  // se: 0 for a single fold
};

template <class F>
FoldMean over_folds(const std::vector<BacktestFold>& folds, const F& value) {
  FoldMean out;
  double sum = 0, weight = 0, squares = 0;
  for (const BacktestFold& f : folds)
    if (f.measured > 0) {
      ++out.folds;
      sum += double(f.measured) * value(f);
      weight += double(f.measured);
    }
  out.mean = sum / weight;
  for (const BacktestFold& f : folds)
    if (f.measured > 0) {
      const double apart = double(f.measured) * (value(f) - out.mean);
      squares += apart * apart;
    }
  const double n = double(out.folds);
  if (out.folds > 1) out.se = std::sqrt(squares * n / (n - 1)) / weight;
  return out;
}

/// The error of the forecasts beside that of the best baseline.
struct Comparison {
  const char* name = "";  // of the best baseline
  double ratio = 0;
  Index folds = 0;
  bool better = false;   // beyond chance, and by more than 2 %
  bool as_good = false;  // at least about
};

Comparison compare(const std::vector<BacktestFold>& folds) {
  const Baseline best = *std::min_element(
      std::begin(baselines), std::end(baselines), [&](const Baseline& a, const Baseline& b) {
        return overall_rmse(folds, a.error) < overall_rmse(folds, b.error);
      });
  const double own = overall_rmse(folds), other = overall_rmse(folds, best.error);
  const FoldMean gain = over_folds(folds, [&](const BacktestFold& f) {
    const double e = f.*best.error;
    return e * e - f.rmse * f.rmse;
  });
  return {.name = best.name,
          .ratio = own / other,
          .folds = gain.folds,
          .better = gain.folds > 1 ? own < 0.98 * other && gain.mean > gain.se : own < 0.9 * other,
          .as_good = own <= 1.02 * other};
}

/// Whether 90 % intervals hold clearly more or less. The values of one forecast lie in or out together, so folds count, not
/// values; one fold alone says nothing, and many are needed before holding everything is too much.
bool dishonest(const std::vector<BacktestFold>& folds) {
  const FoldMean share = over_folds(folds, [](const BacktestFold& f) { return f.coverage; });
  if (share.folds < 2 || !std::isfinite(share.mean)) return false;
  double values = 0;
  for (const BacktestFold& f : folds) values += double(f.measured);
  const double together = std::sqrt(0.09 / double(share.folds)), apart = std::sqrt(0.09 / values);
  return share.mean < 0.9 - std::max({0.1, 3 * share.se, 3 * apart}) ||
         share.mean > 0.9 + std::max({0.05, 3 * share.se, 3 * together});
}

Verdict judge(const std::vector<BacktestFold>& folds, double coverage, std::vector<Warning> warnings,
              bool tuned) {
  const Comparison c = compare(folds);
  const bool chance = c.as_good && !c.better;
  std::string found = fmt::format("its error on the backtest is {:.2f} times that of {}{}", c.ratio, c.name,
                                  c.better ? ", the best of four simpler forecasts" : "");
  const std::string held =
      std::isfinite(coverage) ? fmt::format("90 % intervals hold {} of the values", percent(coverage)) : "";
  const std::string intervals = held.empty() ? "" : "Its " + held + ".";
  if (chance) {
    if (c.ratio < 0.98) found += ", which may be chance with " + counted(c.folds, "fold");
    return {.kind = VerdictKind::linear,
            .opening = "a simpler forecast does as well",
            .evidence = std::move(found),
            .extra = fmt::format("Use {}, or try other options.{}{}", c.name, intervals.empty() ? "" : " ",
                                 intervals),
            .warnings = std::move(warnings)};
  }
  if (!c.better) {
    warnings.push_back({.kind = Kind::no_better,
                        .severity = Severity::error,
                        .message = std::move(found),
                        .remedy = tuned ? Remedy::none : Remedy::tune});
    return make_verdict("", std::move(warnings), Remedy::backtest, "forecast");
  }
  if (dishonest(folds)) {
    warnings.push_back({.kind = Kind::coverage, .severity = Severity::error, .message = "its " + held});
    return {.kind = VerdictKind::doubtful,
            .opening = "trust its means, not its intervals",
            .evidence = std::move(found),
            .warnings = std::move(warnings)};
  }
  Verdict out = make_verdict(std::move(found), std::move(warnings), Remedy::backtest, "forecast");
  out.extra = intervals;
  return out;
}

}  // namespace

BacktestScores backtest_scores(const std::vector<BacktestFold>& folds) {
  return {.rmse = overall_rmse(folds),
          .naive_rmse = overall_rmse(folds, &BacktestFold::naive_rmse),
          .ar_rmse = overall_rmse(folds, &BacktestFold::ar_rmse),
          .smoothing_rmse = overall_rmse(folds, &BacktestFold::smoothing_rmse),
          .mean_rmse = overall_rmse(folds, &BacktestFold::mean_rmse),
          .coverage90 = over_folds(folds, [](const BacktestFold& f) { return f.coverage; }).mean};
}

ForecastAssessment assess(const std::vector<BacktestFold>& folds, bool tuned) {
  ForecastAssessment out{.scores = backtest_scores(folds), .verdict = {}};
  if (!folds.empty() && !std::isfinite(out.scores.rmse)) {
    out.verdict = {.kind = VerdictKind::unjudged,
                   .opening = "no problems detected, but all values of the backtest folds are missing",
                   .evidence = ""};
    return out;
  }
  std::vector<Warning> warnings;
  if (tuned)
    warnings.push_back({.kind = Kind::tuned_on_folds,
                        .message = "the options were tuned on these folds, so the scores are optimistic"});
  out.verdict = folds.empty() ? make_verdict("", std::move(warnings), Remedy::backtest, "forecast")
                              : judge(folds, out.scores.coverage90, std::move(warnings), tuned);
  return out;
}

}  // namespace bochner
