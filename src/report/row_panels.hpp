#pragma once
#include "bochner/compute/compute.hpp"
#include "run_files.hpp"

namespace bochner::detail {

/// Panels of regression and classification: predictions of held-out rows, calibration, relevance of inputs, harmonics.
void add_row_panels(RunFiles& run, const Compute& compute, Json& panels);

/// Panels of kernel PCA: eigenvalues, views predicted from the others.
void add_kpca_panels(RunFiles& run, Json& panels);

/// Panels of forecasts: the fan, the backtest.
void add_forecast_panels(RunFiles& run, Json& panels);

}  // namespace bochner::detail
