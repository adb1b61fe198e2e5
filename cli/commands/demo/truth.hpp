#pragma once
#include "bochner/run/json_file.hpp"
#include "bochner/run/run_folder.hpp"
#include "bochner/tables/table.hpp"
#include "cli/commands/fit/job.hpp"

namespace bochner::cli {

/// A fit against the truth that its tables were made from.
struct TruthScores {
  double r2 = 0;               // of the true latent, after the best affine map
  double imputation_rmse = 0;  // of the entries that were never measured
  double rmse_column_mean = 0;
  double coverage90 = 0;  // share of these entries in their 90 % intervals
  Index missing = 0;      // how many they are
};

/// The rows of a truth table in the order of a fit.
Matrix in_order_of(const std::vector<std::string>& ids, const Table& truth);

/// Reads the truth from the tables that the demo wrote.
TruthScores score_against_truth(const FitJob& job, const GplvmFit& fit, const RunFolder& run,
                                const Threads& threads);

/// Adds what the truth says to the verdict: R^2 of at least 0.95 and honest intervals are good.
void judge_by_truth(const TruthScores& truth, FitResult& result);

std::string truth_text(const TruthScores& truth);
Json truth_json(const TruthScores& truth);

}  // namespace bochner::cli
