#pragma once
#include <string>
#include <vector>

#include "bochner/core/threads.hpp"
#include "demo.hpp"

namespace bochner::cli {

/// What the demo leaves beside config.toml.
const std::vector<std::string>& demo_files();

/// Bytes it needs at its largest.
double demo_memory(const DemoSettings& settings);

/// What `bochner demo --dry-run` prints. Times a small problem to estimate the large one.
std::string demo_plan(const DemoSettings& settings, const std::string& out, const Threads& threads);

}  // namespace bochner::cli
