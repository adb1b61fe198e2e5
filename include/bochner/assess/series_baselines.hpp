#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

// What a forecast must beat. Series are T x S, a column each, NaN in gaps; forecasts are steps x S.

/// The last season again. Season 0: find_season.
Matrix seasonal_naive(MatrixIn y, Index season, Index steps);

/// The lag of the highest autocorrelation after its first minimum; 1 if there is none.
Index find_season(MatrixIn y);

/// Linear autoregression on the last lags + 1 times by least squares, recursively.
Matrix linear_autoregression(MatrixIn y, Index lags, Index steps);

}  // namespace bochner
