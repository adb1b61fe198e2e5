#pragma once
#include "cli/commands/fit/settings.hpp"
#include "cli/frame/command.hpp"

namespace bochner::cli {

/// 'bochner fit --inference mcmc'.
int fit_by_chains(const FitSettings& settings, const Job& job);

}  // namespace bochner::cli
