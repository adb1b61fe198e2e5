#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/models/bayes/assess.hpp"
#include "bochner/models/bayes/bayes.hpp"
#include "bochner/tables/table.hpp"
#include "cli/commands/fit/settings.hpp"
#include "cli/frame/interrupt.hpp"
#include "cli/frame/progress.hpp"
#include "cli/frame/verdict.hpp"
#include "forecast.hpp"

namespace bochner::cli {

/// A Bayesian fit with its tables read and everything checked that can be checked beforehand.
struct BayesJob {
  BayesData data;                    // with everything that was measured
  std::vector<BoolMatrix> held_out;  // one per view; what is hidden from the fit to judge it by
  BayesData seen;                    // the rest
  BayesOptions options;
  std::uint64_t seed = 1;
  Index forecast = 0;  // steps past the last time
  std::optional<TextTable> meta{};
  std::vector<std::string> notes{};
  std::string ids{};  // where the tables have their sample ids from
};

BayesJob prepare_bayes(const FitSettings& settings, std::uint64_t seed);

/// A checksum of the configuration and every number it works on.
std::string fingerprint(const BayesJob& job, const std::string& config);

struct BayesResult {
  BayesFit fit;
  double seconds = 0;
  std::vector<ViewScores> scores{};
  std::optional<ForecastAnswer> forecast{};
  Verdict verdict{};
};

/// Where a fit under way is kept: its state, and all draws so far.
struct BayesCheckpoints {
  std::string path, draws, job;
  double seconds = 60;
  std::optional<BayesCheckpoint> begin{};
};

/// Samples; an interrupt ends it after the step of the start or the sweep and leaves a
/// checkpoint. Then forecasts, and judges.
/// Draws become `draws_file` once all were taken.
BayesResult run_bayes(const BayesJob& job, const BayesCheckpoints& checkpoints, const std::string& draws_file,
                      const Interrupt& interrupt, const ProgressOptions& shown, const Threads& threads);

}  // namespace bochner::cli
