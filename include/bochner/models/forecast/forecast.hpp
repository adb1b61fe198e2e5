#pragma once
#include <string>
#include <vector>

#include "bochner/models/kpca/kpca.hpp"

namespace bochner {

struct ForecastOptions {
  Index lags = 20;  // p: a forecast looks at the last p + 1 times
  Index dims = 0;   // components; 0: a tenth of the windows, between 10 and 200
  std::string kernel =
      "rbf";  // of the past, and of what is known of the time to come; the next value's is linear
  double lengthscale = 0;  // of the standardised series; 0: the median distance between windows
  FeatureSpec features{};  // of the past
  KpcaSolver solver = KpcaSolver::automatic;
  /// identity: Eq. 15 as it stands, for series without noise; ridge: the next value by penalised least squares on the
  /// components that the other views give, which a noisy series needs.
  Preimage preimage = Preimage::ridge;
  double validation =
      0.2;  // last part of the windows, held back once to learn the size of the errors; 0: no intervals
  Index horizon = 1000;  // steps ahead up to which errors are learned
  double keep_bytes = 4e9;
};

/// A series with its companions: row t of `known` is known ahead of time (calendar, weather forecast, dose).
struct SeriesTable {
  Matrix y;                          // T x S, NaN in gaps
  Matrix known;                      // T x E, no gaps; E may be 0
  std::vector<std::string> names{};  // S, for messages; empty: they are numbered
};

/// Forecasting as missing-view inference [achten2023, Sec. 5]: views `past` (the lag window), `next` (linear) and, if
/// given, `known`; a forecast infers `next` from the others, appends it to the window and goes on.
struct ForecastFit {
  KpcaFit model;  // on the standardised series
  Index lags = 0;
  Vector centre, scale;              // S: standardised with the mean and the unbiased sd of what was measured
  Vector known_centre, known_scale;  // E
  Matrix tail;  // (p + 1) x S: the last window, standardised, gaps filled with one-step forecasts
  /// Errors of forecasts from rolling origins in the validation part, by a model that had not seen it: per step ahead
  /// (up to the horizon), origins (up to 200) x S, standardised, NaN in gaps.
  std::vector<Matrix> errors;

  Index series() const { return centre.size(); }
  Index known() const { return known_centre.size(); }
};

/// InputError when there are too few windows without a gap.
ForecastFit fit_forecast(const SeriesTable& data, const ForecastOptions& options, std::uint64_t seed,
                         const Compute& compute);

struct Interval {
  double coverage = 0.9;
  Matrix lower, upper;  // steps x S
};

struct Forecast {
  Matrix mean;  // steps x S
  std::vector<Interval> intervals;
};

/// `steps` times ahead; `known` (steps x E) goes with them. An interval at step t is the forecast plus and minus the
/// quantile of the sizes of the validation errors about t steps ahead: what resampling these errors for ever would give.
/// Resampling one-step errors along the recursion instead assumes that they are independent, which those of a model that
/// is wrong are not. Intervals never shrink with t; beyond the errors at hand they stay as wide as the last.
Forecast forecast(const ForecastFit& fit, Index steps, MatrixIn known, const std::vector<double>& coverage,
                  const Compute& compute);

// ---- Backtest

struct BacktestFold {
  Index origin = 0;    // first time forecast
  Index measured = 0;  // values there that the errors are over; they are NaN if there is none
  double rmse = 0, mae = 0;
  double naive_rmse = 0, ar_rmse = 0, smoothing_rmse = 0, mean_rmse = 0;  // of the baselines; NaN without
  double coverage = 0;  // of the 90 % intervals; NaN without them
};

struct BacktestOptions {
  Index folds = 5;
  Index steps = 20;  // forecast from each origin; folds do not overlap, the last ends with the series
  Index season = 0;  // of the naive forecast
  bool intervals = true, baselines = true;
};

/// Forecasts from rolling origins, each by a model fitted to what lies before. Errors are in the units of the series,
/// gaps do not count; InputError if the series is too short for the folds, or what lies before one of them too full of gaps.
std::vector<BacktestFold> backtest(const SeriesTable& data, const ForecastOptions& options,
                                   const BacktestOptions& how, std::uint64_t seed, const Compute& compute,
                                   const std::function<bool(double)>& progress = {});

/// Root of the mean square over all values of all folds, of the error that `of` picks; NaN if nothing was measured.
double overall_rmse(const std::vector<BacktestFold>& folds, double BacktestFold::*of = &BacktestFold::rmse);

struct TuningStep {
  ForecastOptions options;
  double rmse = 0;  // over all folds
};

/// Tries lags around those given, length-scales around the median distance and numbers of components, and ranks them by
/// their backtest; the best first. InputError if nothing was measured in the stretches that are forecast.
std::vector<TuningStep> tune_forecast(const SeriesTable& data, const ForecastOptions& options,
                                      const BacktestOptions& how, std::uint64_t seed, const Compute& compute,
                                      const std::function<bool(double)>& progress = {});

}  // namespace bochner
