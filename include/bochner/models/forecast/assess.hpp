#pragma once
#include <vector>

#include "bochner/assess/verdict.hpp"
#include "bochner/models/forecast/forecast.hpp"

namespace bochner {

/// A backtest over all its folds. Everything is NaN if nothing was measured in them.
struct BacktestScores {
  double rmse = 0;  // of the forecasts
  double naive_rmse = 0, ar_rmse = 0,
         smoothing_rmse = 0;  // seasonal naive, linear autoregression, exponential smoothing
  double coverage90 = 0;      // share in 90 % intervals
};
BacktestScores backtest_scores(const std::vector<BacktestFold>& folds);

struct ForecastAssessment {
  BacktestScores scores;
  Verdict verdict;
};

/// Judges forecasts by a backtest: they should have smaller errors than all baselines. `tuned`: the options were chosen by
/// the same folds.
ForecastAssessment assess(const std::vector<BacktestFold>& folds, bool tuned = false);

}  // namespace bochner
