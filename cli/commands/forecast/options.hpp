#pragma once
#include <vector>

#include "cli/frame/option.hpp"
#include "job.hpp"

namespace bochner::cli {

/// The options of `bochner forecast`, bound to `settings`.
std::vector<Option> forecast_options(ForecastSettings& settings);

}  // namespace bochner::cli
