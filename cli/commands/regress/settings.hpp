#pragma once
#include <string>
#include <vector>

#include "bochner/models/harmonic/fit.hpp"

namespace bochner::cli {

/// The values of the options of `bochner regress` and `bochner classify`.
struct RegressSettings {
  std::string x, y, id;
  std::vector<std::string> categorical, drop;
  std::string kernel = HarmonicFitOptions{}.kernel, likelihood = HarmonicFitOptions{}.likelihood;
  std::string scale = "auto", noise_model = "inputs";
  std::vector<std::string> symmetry, circle, sphere;
  bool ard = false, isotropic = false, uncalibrated = false, shared_inducing = false,
       shared_covariance = false;
  double lengthscale = HarmonicFitOptions{}.lengthscale, degrees = HarmonicFitOptions{}.degrees;
  std::string layers = "1", image, hidden_inducing;
  Index draws = HarmonicFitOptions{}.draws;
  Index inducing = HarmonicFitOptions{}.inducing, steps = HarmonicFitOptions{}.steps;
  double minutes = HarmonicFitOptions{}.minutes;
  Index batch = HarmonicFitOptions{}.batch, patience = HarmonicFitOptions{}.patience;
  double step_size = HarmonicFitOptions{}.step_size, natural_step = HarmonicFitOptions{}.natural_step;
  double validation = HarmonicFitOptions{}.validation;
  double test = 0.1;
  double memory = 256;  // MB
  double checkpoint_seconds = 60;
  bool resume = false;
};

/// The same as options of the model, for inputs of these names; `likelihood` is not set. InputError for a value that is not known
/// or names no column.
HarmonicFitOptions model_options(const RegressSettings& settings, const std::vector<std::string>& inputs);

/// What can be checked before the tables are read.
void check_settings(const RegressSettings& settings);

}  // namespace bochner::cli
