#pragma once
#include "run_files.hpp"

namespace bochner::detail {

/// Panels of regression and classification about their inputs: how much each counts, and partial dependence.
void add_input_panels(RunFiles& run, Json& panels);

}  // namespace bochner::detail
