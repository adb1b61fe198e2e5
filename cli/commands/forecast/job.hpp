#pragma once
#include <string>
#include <vector>

#include "bochner/models/forecast/forecast.hpp"

namespace bochner::cli {

/// What the user says about a forecast, as said.
struct ForecastSettings {
  std::string series, known, kernel = ForecastOptions{}.kernel, features = "auto", solver = "auto",
                             preimage = "ridge";
  std::vector<std::string> columns;
  Index steps = 20, lags = ForecastOptions{}.lags, dims = ForecastOptions{}.dims, backtest = 0, season = 0;
  double lengthscale = 0;
  std::vector<std::string> coverage;
  bool tune = false;
};

/// Series in columns, times in rows.
struct ForecastJob {
  SeriesTable past;                // T rows
  Matrix ahead;                    // steps x E: what is known of the time to come
  std::vector<std::string> names;  // of the series
  std::vector<std::string> times;  // ids of the rows
  bool times_generated = false;
  ForecastOptions options;
  std::vector<double> coverage;
  std::vector<std::string> notes{};
};

ForecastJob prepare_forecast(const ForecastSettings& settings);

/// Names of the times to come: numbers go on counting, anything else becomes "+1", "+2", ..
std::vector<std::string> times_ahead(const ForecastJob& job, Index steps);

}  // namespace bochner::cli
