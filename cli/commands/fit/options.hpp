#pragma once
#include <vector>

#include "cli/frame/option.hpp"
#include "settings.hpp"

namespace bochner::cli {

/// The options of `bochner fit`, bound to `settings`.
std::vector<Option> fit_options(FitSettings& settings);

}  // namespace bochner::cli
