#pragma once
#include <string>

#include "bochner/models/forecast/forecast.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

// A fitted forecasting model as a model file. What is read is what was written, to the last bit. Reading throws InputError
// with the file if an entry is absent, of another kind or of a shape that does not fit the others.

ModelGroup forecast_group(const ForecastFit& fit);
ForecastFit forecast_from(const ModelGroup& group);

void write_forecast(const std::string& path, const ForecastFit& fit);
ForecastFit read_forecast(const std::string& path);

}  // namespace bochner
