#pragma once
#include <string>

#include "bochner/models/forecast/forecast.hpp"

namespace bochner {

/// InputError if `data` has fewer than 10 windows of lags + 1 times and the next one without a gap. The message names
/// `what` was looked at, its longest stretch, the series with most gaps and the remedy.
void check_windows(const SeriesTable& data, Index lags, const std::string& what, const std::string& remedy);

}  // namespace bochner
