#pragma once
#include <vector>

#include "fit_settings.hpp"
#include "option.hpp"

namespace bochner::cli {

/// The options of `bochner fit`, bound to `settings`.
std::vector<Option> fit_options(FitSettings& settings);

}  // namespace bochner::cli
