#pragma once
#include <vector>

#include "bochner/assess/held_out_scores.hpp"
#include "bochner/data/dataset.hpp"
#include "bochner/data/row_factors.hpp"
#include "bochner/run/run_folder.hpp"

namespace bochner::cli {

/// heldout_entries.csv: what was hidden from the fit, one line for each entry, with its predictive distribution, in the units of
/// `tables`. `scores` are of rows divided by `factors`. No file if there are no such entries.
void write_held_out_entries(const RunFolder& run, const Dataset& tables, const RowFactors& factors,
                            const std::vector<ViewScores>& scores);

}  // namespace bochner::cli
