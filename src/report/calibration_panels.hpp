#pragma once
#include <string>
#include <vector>

#include "run_files.hpp"

namespace bochner::detail {

/// Where observed values lie in their predictive distributions, P(y < observed): uniform if predictions are right.
struct Places {
  std::string name;
  Vector pit;
};

/// That of Gaussian predictions, of the rows that have all three numbers.
Vector normal_places(const Vector& observed, const Vector& mean, const Vector& sd);

/// The share of values in central intervals of each level, and the histogram of places (PIT), a curve for each name with at
/// least 20 values. `columns`: numbers of the panel, or null.
void add_calibration_panel(const std::vector<Places>& places, Json columns, Json& panels);

/// Observed against predicted, and calibration, of entries that were hidden from a fit: heldout_entries.csv.
void add_entry_panels(RunFiles& run, Json& panels);

}  // namespace bochner::detail
