#pragma once
#include <vector>

#include "bochner/assess/verdict.hpp"
#include "bochner/models/forecast/forecast.hpp"

namespace bochner {

/// A backtest over all its folds. Everything is NaN if nothing was measured in them.
struct BacktestScores {
  double rmse = 0;  // of the forecasts
  /// Of seasonal naive, linear autoregression, exponential smoothing and the mean of the past.
  double naive_rmse = 0, ar_rmse = 0, smoothing_rmse = 0, mean_rmse = 0;
  double coverage90 = 0;  // share in 90 % intervals
};
BacktestScores backtest_scores(const std::vector<BacktestFold>& folds);

struct ForecastAssessment {
  BacktestScores scores;
  Verdict verdict;
};

/// Judges forecasts by a backtest. Trust: the squared errors of the best baseline exceed theirs by more than a standard error
/// over the folds, and by 2 % (a single fold: 10 %), and the 90 % intervals do not hold clearly too few or too
/// many values. VerdictKind::linear: the best baseline does as well. `tuned`: the options were chosen by the same folds.
ForecastAssessment assess(const std::vector<BacktestFold>& folds, bool tuned = false);

}  // namespace bochner
