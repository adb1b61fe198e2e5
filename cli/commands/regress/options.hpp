#pragma once
#include <vector>

#include "cli/frame/option.hpp"
#include "settings.hpp"

namespace bochner::cli {

/// The options of `classify`, or of `regress`, bound to `settings`.
std::vector<Option> regress_options(RegressSettings& settings, bool classes);

}  // namespace bochner::cli
