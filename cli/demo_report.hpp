#pragma once
#include <string>
#include <vector>

#include "bochner/infer/optimize_result.hpp"
#include "demo_tables.hpp"
#include "json_file.hpp"

namespace bochner::cli {

/// What the demo knows when it is done. RMSEs are against the truth without noise, one per output.
struct DemoScores {
  DemoTruth truth;
  Rbf kernel;           // as found
  double noise_sd = 0;  // as found
  Vector rmse;
  Vector
      rmse_ideal;  // of the same regression, told the true kernel, noise and mean: no method does better on average
  Vector rmse_column_mean;  // of always guessing the mean of the column
  Vector coverage;          // of the 90 % intervals, new measurements
  double log_density = 0;   // mean log predictive density of the new measurements
  Index new_samples = 0;
  Status status = Status::converged;
  Index steps = 0;
  double first_evidence = 0, evidence = 0;  // log evidence at the start and at the end
};

struct Verdict {
  bool good = false;
  std::string sentence;
};

/// Good if the error is at most a quarter above the ideal, the intervals hold 90 % within 5 points (or three standard
/// errors, if few samples make that more), and the noise is found within a fifth.
Verdict judge(const DemoScores& scores);

std::string report_text(const DemoScores& scores);
Json report_json(const DemoScores& scores);  // metrics.json

}  // namespace bochner::cli
