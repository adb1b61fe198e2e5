#pragma once
#include "run_files.hpp"

namespace bochner::detail {

// Panels about how well a fit predicts, and how it came about.

void add_held_out_panels(RunFiles& run, Json& panels);  // entries and views against baselines, calibration
void add_trace_panels(RunFiles& run, Json& panels);     // the objective, or chains with R-hat, ESS and ranks

}  // namespace bochner::detail
