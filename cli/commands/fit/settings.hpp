#pragma once
#include <string>
#include <vector>

#include "bochner/models/bayes/options.hpp"
#include "bochner/models/gplvm/options.hpp"

namespace bochner::cli {

/// What the user says about a fit, as said.
struct FitSettings {
  std::vector<std::string> views;                   // NAME=TABLE
  std::vector<std::string> kernel, scaling, noise;  // VALUE for all views, or NAME=VALUE for one
  std::string features = "auto", precision = "double", meta;
  Index dims = GplvmOptions{}.dims, components = GplvmViewOptions{}.components;
  Index steps = GplvmOptions{}.steps, restarts = GplvmOptions{}.restarts, patience = GplvmOptions{}.patience;
  double step_size = GplvmOptions{}.step_size;
  double holdout = 0.05;
  double checkpoint_seconds = 60;
  bool resume = false;

  std::string model = "variational";
  // of --model bayes alone
  std::vector<std::string> likelihood, trials;  // VALUE for all views, or NAME=VALUE for one
  std::string time, group, time_kernel = "matern32", start = "variational", warm_start;
  Index frequencies = BayesOptions{}.frequencies, chains = BayesOptions{}.chains;
  Index warmup = BayesOptions{}.warmup, draws = BayesOptions{}.draws, thin = BayesOptions{}.thin;
  Index forecast = 0;
};

/// InputError for an option of the other model.
void check_model_options(const FitSettings& settings);

/// The same as the model wants it, for views of these names in this order. InputError of one sentence for a word that
/// means nothing or names no view.
GplvmOptions model_options(const FitSettings& settings, const std::vector<std::string>& views);

}  // namespace bochner::cli
