#pragma once
#include <string>

#include "bochner/io/model_file.hpp"
#include "bochner/models/forecast.hpp"
#include "bochner/models/kpca.hpp"

namespace bochner {

// Fitted kernel PCA and forecasting models as model files. What is read is what was written, to the last bit. A view whose
// kernel has no explicit features keeps its training rows: they are the model. Reading throws InputError of one sentence,
// with the file, if an entry is absent, of another kind or of a shape that does not fit the others.

ModelGroup kpca_group(const KpcaFit& fit);
KpcaFit kpca_from(const ModelGroup& group);

ModelGroup forecast_group(const ForecastFit& fit);
ForecastFit forecast_from(const ModelGroup& group);

void write_kpca(const std::string& path, const KpcaFit& fit);
KpcaFit read_kpca(const std::string& path);
void write_forecast(const std::string& path, const ForecastFit& fit);
ForecastFit read_forecast(const std::string& path);

}  // namespace bochner
