#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/assess/series_baselines.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/data/lags.hpp"
#include "bochner/models/forecast/forecast.hpp"
#include "src/linalg/median_distance.hpp"
#include "windows.hpp"

namespace bochner {
namespace {

/// Mean over what was measured of f(forecast - truth).
template <class F>
double mean_error(const Matrix& forecast, MatrixIn truth, const F& f) {
  double sum = 0, count = 0;
  for (Index t = 0; t < truth.rows(); ++t)
    for (Index s = 0; s < truth.cols(); ++s)
      if (std::isfinite(truth(t, s))) sum += f(forecast(t, s) - truth(t, s)), ++count;
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

double rmse(const Matrix& forecast, MatrixIn truth) {
  return std::sqrt(mean_error(forecast, truth, [](double e) { return e * e; }));
}

double coverage_of(const Interval& i, MatrixIn truth) {
  double inside = 0, count = 0;
  for (Index t = 0; t < truth.rows(); ++t)
    for (Index s = 0; s < truth.cols(); ++s)
      if (std::isfinite(truth(t, s)))
        inside += i.lower(t, s) <= truth(t, s) && truth(t, s) <= i.upper(t, s), ++count;
  return count > 0 ? inside / count : std::numeric_limits<double>::quiet_NaN();
}

void check_length(const SeriesTable& data, const ForecastOptions& options, const BacktestOptions& how) {
  check_at_least("backtest", "folds", how.folds, 1);
  check_at_least("backtest", "steps", how.steps, 1);
  const Index before = data.y.rows() - how.folds * how.steps;
  if (before < options.lags + 20)
    throw InputError("a backtest of " + counted(how.folds, "forecast") + " of " + counted(how.steps, "step") +
                     " leaves " + counted(std::max<Index>(before, 0), "time") +
                     " to learn the first from, and " + std::to_string(options.lags + 1) + " lagged " +
                     (options.lags == 0 ? "time needs" : "times need") + " at least " +
                     std::to_string(options.lags + 20) + "; use fewer folds, steps or lags");
  if (how.season > before)
    throw InputError("a season of " + counted(how.season, "time") + " is longer than the " +
                     counted(before, "time") + " before the first stretch of the backtest");
}

/// What a forecast at `origin` may know.
SeriesTable until(const SeriesTable& data, Index origin) {
  return {data.y.topRows(origin),
          data.known.cols() > 0 ? Matrix(data.known.topRows(origin)) : Matrix(origin, 0), data.names};
}

}  // namespace

std::vector<BacktestFold> backtest(const SeriesTable& data, const ForecastOptions& options,
                                   const BacktestOptions& how, std::uint64_t seed, const Compute& compute,
                                   const std::function<bool(double)>& progress) {
  check_length(data, options, how);
  std::vector<BacktestFold> out;
  ForecastOptions fitted = options;
  fitted.horizon = how.steps;
  if (!how.intervals) fitted.validation = 0;
  for (Index k = 0; k < how.folds; ++k) {
    const Index origin = data.y.rows() - (how.folds - k) * how.steps;
    const SeriesTable before = until(data, origin);
    const Matrix truth = data.y.middleRows(origin, how.steps);
    const Matrix known =
        data.known.cols() > 0 ? Matrix(data.known.middleRows(origin, how.steps)) : Matrix(how.steps, 0);
    check_windows(before, options.lags,
                  "the " + counted(origin, "time") + " before fold " + std::to_string(k + 1) + " of " +
                      std::to_string(how.folds) + " of the backtest",
                  "use fewer lags, folds or steps");
    const ForecastFit fit = fit_forecast(before, fitted, seed, compute);
    const Forecast f = forecast(fit, how.steps, known, {0.9}, compute);
    const bool compare = how.baselines;
    const double none = std::numeric_limits<double>::quiet_NaN();
    out.push_back(
        {.origin = origin,
         .measured = truth.array().isFinite().count(),
         .rmse = rmse(f.mean, truth),
         .mae = mean_error(f.mean, truth, [](double e) { return std::abs(e); }),
         .naive_rmse = compare ? rmse(seasonal_naive(before.y, how.season, how.steps), truth) : none,
         .ar_rmse = compare ? rmse(linear_autoregression(before.y, options.lags, how.steps), truth) : none,
         .smoothing_rmse =
             compare ? rmse(exponential_smoothing(before.y, how.season, how.steps), truth) : none,
         .mean_rmse = compare ? rmse(mean_forecast(before.y, how.steps), truth) : none,
         .coverage = f.intervals.empty() ? std::numeric_limits<double>::quiet_NaN()
                                         : coverage_of(f.intervals.front(), truth)});
    if (progress && !progress(double(k + 1) / double(how.folds))) break;
  }
  return out;
}

double overall_rmse(const std::vector<BacktestFold>& folds, double BacktestFold::*of) {
  double squares = 0, count = 0;
  for (const BacktestFold& f : folds)
    if (f.measured > 0) squares += double(f.measured) * (f.*of) * (f.*of), count += double(f.measured);
  return count > 0 ? std::sqrt(squares / count) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<TuningStep> tune_forecast(const SeriesTable& data, const ForecastOptions& options,
                                      const BacktestOptions& how, std::uint64_t seed, const Compute& compute,
                                      const std::function<bool(double)>& progress) {
  BacktestOptions plain = how;
  plain.intervals = plain.baselines = false;
  check_length(data, options, plain);
  if (!data.y.bottomRows(how.folds * how.steps).array().isFinite().any())
    throw InputError("nothing was measured in the last " + counted(how.folds * how.steps, "time") +
                     ", which choices would be judged by");
  const Index before = data.y.rows() - how.folds * how.steps;
  std::vector<TuningStep> out;
  const std::vector<double> lag_factors{0.25, 0.5, 1, 2}, scale_factors{0.25, 0.5, 1, 2},
      dims_shares{0.1, 0.25, 0.5};
  const double all = double(lag_factors.size() * scale_factors.size() * dims_shares.size());
  double done = 0;
  bool going = true;
  std::vector<Index> tried;
  for (const double lag_factor : lag_factors) {
    const Index lags = std::max<Index>(1, Index(std::lround(lag_factor * double(options.lags))));
    if (before < 2 * lags + 20 || std::find(tried.begin(), tried.end(), lags) != tried.end()) continue;
    tried.push_back(lags);
    const LagTable table = lag_table(data.y.topRows(before), lags);
    if (table.past.rows() < 20) continue;
    Matrix z = table.past;
    const Scaling scaling = fit_scaling(data.y.topRows(before), ScalingKind::standardise);
    for (Index i = 0; i < z.cols(); ++i) z.col(i) /= scaling.scale(i % data.y.cols());
    const double median = median_distance(z, Rng(seed).split("distances"));
    for (const double scale_factor : scale_factors)
      for (const double share : dims_shares) {
        if (!going) continue;
        ForecastOptions o = options;
        o.lags = lags;
        o.lengthscale = scale_factor * median;
        o.dims = std::max<Index>(2, Index(share * double(table.past.rows())));
        double error = std::numeric_limits<double>::infinity();
        try {
          const double found = overall_rmse(backtest(data, o, plain, seed, compute));
          if (std::isfinite(found)) error = found;
        } catch (const InputError&) {  // too few windows with these lags
        }
        out.push_back({o, error});
        going = !progress || progress(++done / all);
      }
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const TuningStep& a, const TuningStep& b) { return a.rmse < b.rmse; });
  return out;
}

}  // namespace bochner
