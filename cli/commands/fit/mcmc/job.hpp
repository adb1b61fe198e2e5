#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bochner/models/bayes/assess.hpp"
#include "bochner/models/bayes/bayes.hpp"
#include "bochner/models/bayes/covariate_effects.hpp"
#include "bochner/models/bayes/pointwise.hpp"
#include "bochner/run/run.hpp"
#include "bochner/tables/table.hpp"
#include "cli/commands/fit/dimensions.hpp"
#include "cli/commands/fit/settings.hpp"
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
  std::string ids{};                  // where the tables have their sample ids from
  std::string kept{};                 // what --most-variable kept
  RowFactors factors{};               // of --normalise: data and seen are divided by them ..
  std::optional<Dataset> measured{};  // .. and this is the data without that, if there are any

  const Dataset& tables() const { return measured ? *measured : data.data; }  // in their own units
};

BayesJob prepare_bayes(const FitSettings& settings, std::uint64_t seed);

/// Everything that the fit works on.
void identify(const BayesJob& job, Fingerprint& sum);

/// A fit, and how well it would predict each entry without it; nothing of that from a fit that was stopped.
struct BayesLearned {
  BayesFit fit;
  std::vector<ViewCriteria> criteria{};
  std::vector<CovariateEffects> effects{};
};

struct BayesResult {
  BayesFit fit;
  double seconds = 0;
  std::vector<ViewCriteria> criteria{};
  std::vector<CovariateEffects> effects{};
  std::vector<ViewScores> scores{};
  std::optional<ForecastAnswer> forecast{};
  Verdict verdict{};
  Dimensions dimensions{};
};

inline const std::string draws_log = "draws.log";  // draws so far, until all are there

/// Samples, with checkpoints; what it is asked to stop keeps its draws. All draws become draws.nc of the run folder once
/// they were taken.
BayesLearned learn(const BayesJob& job, RunProgress& progress, const Threads& threads);

/// Forecasts, scores, warnings and the verdict.
BayesResult judge_fit(const BayesJob& job, BayesLearned learned, double seconds, const Threads& threads);

}  // namespace bochner::cli
