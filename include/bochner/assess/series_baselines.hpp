#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

// What a forecast must beat. Series are T x S, a column each, NaN in gaps; forecasts are steps x S.

/// The mean of what was measured, at every step; 0 for a series without a value.
Matrix mean_forecast(MatrixIn y, Index steps);

/// The last season again. Season 0: find_season.
Matrix seasonal_naive(MatrixIn y, Index season, Index steps);

/// The lag of the highest autocorrelation after its first minimum; 1 if there is none.
Index find_season(MatrixIn y);

/// Linear autoregression on the last lags + 1 times, recursively; ridge regression with the penalty of the smallest generalised
/// cross-validation error [golub1979].
Matrix linear_autoregression(MatrixIn y, Index lags, Index steps);

/// Exponential smoothing with a damped trend and an additive season (0: find_season; 1: none) [hyndman2008]; its weights are those of
/// a grid with the smallest errors of one step.
Matrix exponential_smoothing(MatrixIn y, Index season, Index steps);

}  // namespace bochner
