#pragma once
#include <string>

#include "bochner/models/harmonic/assess.hpp"
#include "bochner/run/json_file.hpp"
#include "cli/frame/verdict.hpp"

namespace bochner::cli {

/// The scores of every outcome, for metrics.json.
Json scores_json(const HarmonicFit& fit, const RowScores& scores);

/// The scores as lines of a table.
std::string scores_text(const HarmonicFit& fit, const RowScores& scores);

}  // namespace bochner::cli
