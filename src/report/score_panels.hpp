#pragma once
#include <string>

#include "run_files.hpp"

namespace bochner::detail {

// Panels about how well a fit predicts, and how it came about.

void add_held_out_panels(RunFiles& run, Json& panels);  // entries and views against baselines, calibration
void add_trace_panels(RunFiles& run, Json& panels);     // the objective, or chains with R-hat, ESS and ranks

/// Coverage of intervals at all levels and the histogram of z-scores turned to [0, 1], one pair of charts for each name. `z` are
/// standardised errors.
struct Standardised {
  std::string name;
  Vector z;
};
void add_calibration_panel(const std::vector<Standardised>& errors, Json& panels);

}  // namespace bochner::detail
