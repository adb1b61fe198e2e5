#pragma once
#include <string>
#include <vector>

#include "bochner/models/harmonic/fit.hpp"
#include "cli/frame/option.hpp"

namespace bochner::cli {

/// What the user says to `regress` and `classify`, as said.
struct RegressSettings {
  std::string x, y, id;
  std::string kernel = HarmonicFitOptions{}.kernel, likelihood = HarmonicFitOptions{}.likelihood;
  std::string scale = "auto";
  std::vector<std::string> symmetry, circle, sphere;
  bool ard = false, shared_inducing = false, shared_covariance = false;
  double lengthscale = HarmonicFitOptions{}.lengthscale, degrees = HarmonicFitOptions{}.degrees;
  Index inducing = HarmonicFitOptions{}.inducing, steps = HarmonicFitOptions{}.steps;
  Index batch = HarmonicFitOptions{}.batch, patience = HarmonicFitOptions{}.patience;
  double step_size = HarmonicFitOptions{}.step_size, natural_step = HarmonicFitOptions{}.natural_step;
  double validation = HarmonicFitOptions{}.validation;
  double test = 0.1;
  double memory = 256;  // MB
  double checkpoint_seconds = 60;
  bool resume = false;
};

/// The options of `classify`, or of `regress`, bound to `settings`.
std::vector<Option> regress_options(RegressSettings& settings, bool classes);

/// The same as the model wants it, for inputs of these names; `likelihood` is left alone. InputError of one sentence for a word
/// that means nothing or names no column.
HarmonicFitOptions model_options(const RegressSettings& settings, const std::vector<std::string>& inputs);

/// What can be checked before the tables are read.
void check_words(const RegressSettings& settings, bool classes);

}  // namespace bochner::cli
