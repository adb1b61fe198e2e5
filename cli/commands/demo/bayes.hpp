#pragma once
#include "cli/frame/command.hpp"
#include "tables.hpp"

namespace bochner::cli {

/// 'bochner demo --bayes': counts with a known truth, fitted by Markov chains and judged by it.
int run_bayes_demo(const DemoSettings& settings, const Job& job);

}  // namespace bochner::cli
