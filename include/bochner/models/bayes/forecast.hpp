#pragma once
#include <string>
#include <vector>

#include "bochner/assess/warning.hpp"
#include "bochner/models/bayes/bayes.hpp"

namespace bochner {

/// Latents at `steps` further times after the last row of every group, `gap` apart: S times (groups * steps) x Q. Each draw
/// goes on from its own path.
std::vector<Matrix> forecast(const BayesFit& fit, Index steps, double gap, const Rng& rng);

/// Times of `steps` further rows of each group. Numbers go on by the median step of all groups; dates as half of their group or
/// more are spaced, also in months or weekdays, else as numbers.
std::vector<Vector> following_times(const BayesFit& fit, const TimeAxis& axis, Index steps);

/// Latents at times after the last row of each group, which ascend: S times (all these times) x Q. `axis`: that of the fit.
std::vector<Matrix> forecast_at(const BayesFit& fit, const TimeAxis& axis, const std::vector<Vector>& times,
                                const Rng& rng);

/// Rows at the end of groups, forecast as if they were still to come.
struct ForecastTrial {
  std::vector<Index> rows;  // of the table
  std::vector<Index>
      last;  // of each of them the last known row of its group, by its place in the order of time
  std::vector<Index> known;  // all rows up to those, of the table
  std::vector<Matrix> X;     // S times rows x Q
};

/// Every path is cut `hidden` rows before its end and goes on for `steps` of them. A group of which less than half would be
/// left takes no part.
ForecastTrial forecast_again(const BayesFit& fit, Index hidden, Index steps, const Rng& rng);

/// How well the last rows of a view are forecast from up to four earlier points in time. The errors are mean absolute ones,
/// each column's divided by its mean absolute deviation from its median.
struct ForecastScores {
  std::string view;
  Index entries = 0;
  double error = 0;         // of the medians
  double error_last = 0;    // of the last value that was known
  double error_median = 0;  // of the median of the values that were known
  double coverage90 = 0;    // share in 90 % intervals
};

/// One for each view but those of labels; none if the groups are too short. Optimistic: functions and the paths up to the
/// cut have seen the rows that are forecast. What fails here fails without them.
std::vector<ForecastScores> backtest(const BayesFit& fit, const BayesData& data, Index steps, const Rng& rng,
                                     const Compute& compute);

/// What speaks against forecasts `ahead` (one for each view, with intervals): numbers far beyond any in `data`, and errors
/// above those of the simplest forecasts.
std::vector<Warning> forecast_warnings(const BayesFit& fit, const Dataset& data,
                                       const std::vector<BayesPrediction>& ahead,
                                       const std::vector<ForecastScores>& scores);

}  // namespace bochner
