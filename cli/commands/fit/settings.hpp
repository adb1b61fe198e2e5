#pragma once
#include <string>
#include <vector>

#include "bochner/models/bayes/options.hpp"
#include "bochner/models/gplvm/options.hpp"

namespace bochner::cli {

/// The values of the options of `bochner fit`.
struct FitSettings {
  std::vector<std::string> views;                                // NAME=TABLE
  std::vector<std::string> kernel, scaling, noise, noise_start;  // VALUE for all views, or NAME=VALUE for one
  std::vector<std::string> most_variable;                        // K for all views, or NAME=K for one
  std::vector<std::string> normalise;                            // rows for all views, or NAME=rows for one
  std::vector<std::string> shape;                                // NAME=ROWSxCOLUMNS
  std::string features = "auto", precision = "auto", meta, labels;
  std::string device;  // empty: cpu
  Index dims = GplvmOptions{}.dims, mixtures = GplvmViewOptions{}.components;
  Index steps = GplvmOptions{}.steps, restarts = GplvmOptions{}.restarts, patience = GplvmOptions{}.patience;
  double step_size = GplvmOptions{}.step_size;
  double holdout = 0.05;
  double checkpoint_seconds = 60;
  bool resume = false;

  std::string inference = "variational";
  // for --inference mcmc only
  std::vector<std::string> likelihood, trials, offset;  // VALUE for all views, or NAME=VALUE for one
  std::vector<std::string> prior;                       // NAME=DISTRIBUTION
  std::vector<std::string> starts;
  std::vector<std::string> covariate;  // columns
  std::string time, group, time_kernel = "matern32", start = "auto", warm_start;
  Index frequencies = BayesOptions{}.frequencies, chains = BayesOptions{}.chains;
  Index warmup = BayesOptions{}.warmup, draws = BayesOptions{}.draws, thin = BayesOptions{}.thin;
  Index forecast = 0;
};

/// As many dimensions as `--dims auto` (0) tries, and what the options have until it has.
inline constexpr Index most_auto_dims = 20;

/// The same as options of the model, for views of these names in this order. InputError for a value that is not known or
/// names no view.
GplvmOptions model_options(const FitSettings& settings, const std::vector<std::string>& views);

}  // namespace bochner::cli
