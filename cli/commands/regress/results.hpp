#pragma once
#include <string>
#include <vector>

#include "bochner/run/run_folder.hpp"
#include "job.hpp"
#include "scores.hpp"

namespace bochner::cli {

/// What a run leaves in its folder beside config.toml; the checkpoint is not among them.
const std::vector<std::string>& regress_files();

/// How the symmetries compared, as lines of a table; empty where they were given.
std::string compared_text(const HarmonicFit& fit);

/// Writes everything but metrics.json and log.jsonl, and judges by the held-out rows.
RowScores write_results(const RegressJob& job, const HarmonicFit& fit, const RunFolder& run,
                        const Threads& threads);

/// metrics.json
Json metrics_json(const RegressJob& job, const HarmonicFit& fit, double seconds, const RowScores& scores,
                  const Verdict& verdict);

/// "1000 rows of 5 inputs and 1 outcome: x.csv, y.csv"
std::string rows_text(const RegressJob& job);

/// "8 groups of 250 inducing points, kernel matern32, likelihood gaussian"
std::string model_text(const RegressJob& job, Index groups, Index inducing);

/// "2000 steps (25.6 passes over the rows)"
std::string steps_text(Index steps, double rows, Index batch);

MemoryNeed regress_memory(const RegressJob& job);

/// What --dry-run says: the first steps are taken and timed.
std::string regress_plan(const std::string& command, const RegressJob& job, const std::string& out,
                         const Threads& threads);

}  // namespace bochner::cli
