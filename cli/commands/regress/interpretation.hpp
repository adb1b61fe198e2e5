#pragma once
#include <string>

#include "bochner/models/harmonic/interpret.hpp"
#include "bochner/run/run_folder.hpp"
#include "job.hpp"

namespace bochner::cli {

/// Writes input_relevance.csv and partial_dependence.csv, but for images, from held-out rows, or learned ones where there are none. Returns how much each
/// input counts.
Vector write_interpretation(const RegressJob& job, const HarmonicFit& fit, const RunFolder& run,
                            const Threads& threads);

/// "inputs by relevance: 'size' 0.81, ..", one line; empty without relevance.
std::string relevance_text(const HarmonicFit& fit, const Vector& relevance);

}  // namespace bochner::cli
