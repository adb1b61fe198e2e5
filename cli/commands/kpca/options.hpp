#pragma once
#include <vector>

#include "cli/frame/option.hpp"
#include "job.hpp"

namespace bochner::cli {

/// The options of `bochner kpca`, bound to `settings`.
std::vector<Option> kpca_options(KpcaSettings& settings);

}  // namespace bochner::cli
