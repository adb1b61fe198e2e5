#include "options.hpp"

#include "cli/frame/run_options.hpp"

namespace bochner::cli {

namespace {

std::vector<Option> input_options(RegressSettings& s, bool classes) {
  return {{.name = "x",
           .placeholder = "TABLE",
           .help = "Inputs, one row per sample: numbers, text, dates; cells may be missing",
           .target = &s.x,
           .group = Group::input,
           .required = true,
           .file = true,
           .positional = true},
          {.name = "y",
           .placeholder = classes ? "FILE:COLUMN" : "TABLE",
           .help = classes ? "Class labels, strings or numbers; may be a column of the file of --x"
                           : "Outcomes: a table, or FILE:COLUMN, also of the file of --x",
           .target = &s.y,
           .group = Group::input,
           .required = true,
           .file = true},
          {.name = "id",
           .placeholder = "COLUMN",
           .help = "Column of row ids, or none",
           .target = &s.id,
           .group = Group::input,
           .shown_default = "a first column named id, sample, ..."},
          {.name = "categorical",
           .placeholder = "COLUMN,..",
           .help = "Input columns of numbers that are categories, as text always is",
           .target = &s.categorical,
           .group = Group::input},
          {.name = "drop",
           .placeholder = "COLUMN,..",
           .help = "Columns of the table of inputs to leave out",
           .target = &s.drop,
           .group = Group::input},
          {.name = "memory",
           .placeholder = "MB",
           .help = "Largest table to load; larger NPY and HDF5 files are read in blocks",
           .target = &s.memory,
           .group = Group::input,
           .low = 0,
           .high = 1e9}};
}

std::vector<Option> kernel_options(RegressSettings& s) {
  return {{.name = "kernel",
           .placeholder = "K",
           .help = "Kernel: rbf, matern12, matern32, matern52, poly2, arccos1, ...",
           .target = &s.kernel,
           .group = Group::model,
           .suggestions = {"rbf", "matern12", "matern32", "matern52", "poly2", "arccos1", "rbf+linear"}},
          {.name = "ard",
           .help = "One length-scale per input: the default where symmetries allow it",
           .target = &s.ard,
           .group = Group::model},
          {.name = "isotropic",
           .help = "One length-scale for all inputs",
           .target = &s.isotropic,
           .group = Group::model},
          {.name = "lengthscale",
           .placeholder = "L",
           .help = "Initial length-scale, in scaled units",
           .target = &s.lengthscale,
           .group = Group::model,
           .low = 0,
           .high = 1e9,
           .shown_default = "the median distance"},
          {.name = "symmetry",
           .placeholder = "SPEC",
           .help = "Kernel symmetry: negate, negate:pca:3, rotate:a,b:4, auto, ...",
           .target = &s.symmetry,
           .group = Group::model,
           .suggestions = {"auto", "negate", "negate:pca:3"}}};
}

std::vector<Option> input_map_options(RegressSettings& s) {
  return {{.name = "circle",
           .placeholder = "COLUMN:PERIOD",
           .help = "Periodic input, e.g. hour:24",
           .target = &s.circle,
           .group = Group::model},
          {.name = "sphere",
           .placeholder = "LON,LAT",
           .help = "Two inputs that are longitude and latitude in degrees",
           .target = &s.sphere,
           .group = Group::model},
          {.name = "scale",
           .placeholder = "METHOD",
           .help = "Input scaling: standardise, common (one factor for all), pixels, none",
           .target = &s.scale,
           .group = Group::model,
           .suggestions = {"auto", "standardise", "common", "pixels", "none"}},
          {.name = "layers",
           .placeholder = "LAYERS",
           .help = "Layers: 2, or dense:W, conv:SIZE:STRIDE:MAPS, patches:SIZE by commas",
           .target = &s.layers,
           .group = Group::model,
           .suggestions = {"2", "patches:5", "conv:5:2,patches:5"}},
          {.name = "image",
           .placeholder = "HxW[xC]",
           .help = "Shape of the images that the input columns are, e.g. 28x28",
           .target = &s.image,
           .group = Group::model}};
}

std::vector<Option> likelihood_options(RegressSettings& s, bool classes) {
  if (classes)
    return {{.name = "likelihood",
             .placeholder = "L",
             .help = "bernoulli for two classes, else softmax; robustmax for noisy labels",
             .target = &s.likelihood,
             .group = Group::model,
             .choices = {"auto", "bernoulli", "softmax", "robustmax"}}};
  return {
      {.name = "likelihood",
       .placeholder = "L",
       .help = "gaussian, student for outliers, poisson or negbinom for counts",
       .target = &s.likelihood,
       .group = Group::model,
       .choices = {"gaussian", "student", "poisson", "negbinom"}},
      {.name = "noise-model",
       .placeholder = "M",
       .help =
           "Variance of gaussian noise: inputs (a function of them), joint (learned with the mean), constant",
       .target = &s.noise_model,
       .group = Group::model,
       .choices = {"inputs", "joint", "constant"}},
      {.name = "degrees",
       .placeholder = "NU",
       .help = "Degrees of freedom of the student likelihood",
       .target = &s.degrees,
       .group = Group::model,
       .low = 1.1,
       .high = 1e6}};
}

std::vector<Option> posterior_options(RegressSettings& s, bool classes) {
  return {{.name = "inducing",
           .placeholder = "M",
           .help = "Inducing points per group of harmonics",
           .target = &s.inducing,
           .group = Group::variational,
           .low = 1,
           .high = 1e5,
           .shown_default = "by rows and --minutes",
           .zero_word = "auto"},
          {.name = "hidden-inducing",
           .placeholder = "M,M,..",
           .help = "Inducing points of each hidden layer; otherwise as many as --inducing",
           .target = &s.hidden_inducing,
           .group = Group::variational},
          {.name = "draws",
           .placeholder = "S",
           .help = "Draws of the hidden layers for each prediction",
           .target = &s.draws,
           .group = Group::variational,
           .low = 1,
           .high = 1e5},
          {.name = "shared-inducing",
           .help = "Share the inducing points between all groups",
           .target = &s.shared_inducing,
           .group = Group::variational},
          {.name = "shared-covariance",
           .help = classes ? "Share the posterior covariance between all classes: less memory"
                           : "Share the posterior covariance between all outcomes: less memory",
           .target = &s.shared_covariance,
           .group = Group::variational}};
}

std::vector<Option> optimiser_options(RegressSettings& s, bool classes) {
  return {{.name = "steps",
           .placeholder = "N",
           .help = "Maximum number of optimiser steps",
           .target = &s.steps,
           .group = Group::variational,
           .low = 1,
           .high = 1e9,
           .shown_default = "by --minutes",
           .zero_word = "auto"},
          {.name = "minutes",
           .placeholder = "T",
           .help = "Time on two usual cores that points and steps are chosen for",
           .target = &s.minutes,
           .group = Group::variational,
           .low = 0.01,
           .high = 1e5},
          {.name = "batch",
           .placeholder = "B",
           .help = "Rows per step",
           .target = &s.batch,
           .group = Group::variational,
           .low = 1,
           .high = 1e6},
          {.name = "step-size",
           .placeholder = "S",
           .help = "Adam step size; 0: 0.02, or 0.01 with hidden layers",
           .target = &s.step_size,
           .group = Group::variational,
           .low = 0,
           .high = 1},
          {.name = "natural-step",
           .placeholder = "S",
           .help = "Maximum step size of natural gradients; 0: Adam only",
           .target = &s.natural_step,
           .group = Group::variational,
           .low = 0,
           .high = 1},
          {.name = "validation",
           .placeholder = "FRACTION",
           .help = "Fraction of rows for early stopping and calibration, at most 10,000; 0 disables",
           .target = &s.validation,
           .group = Group::variational,
           .low = 0,
           .high = 0.5},
          {.name = "uncalibrated",
           .help = classes ? "Leave the probabilities as learned, without a temperature by validation rows"
                           : "Leave the noise as learned, without a factor by validation rows",
           .target = &s.uncalibrated,
           .group = Group::variational},
          {.name = "patience",
           .placeholder = "N",
           .help = "Checks, one every 100 steps, without improvement before stopping",
           .target = &s.patience,
           .group = Group::variational,
           .low = 1,
           .high = 1e6}};
}

std::vector<Option> evaluation_options(RegressSettings& s) {
  return {{.name = "test",
           .placeholder = "FRACTION",
           .help = "Fraction of rows held out for evaluation, at most 100,000; 0 disables",
           .target = &s.test,
           .group = Group::evaluation,
           .low = 0,
           .high = 0.5}};
}

}  // namespace

std::vector<Option> regress_options(RegressSettings& s, bool classes) {
  return concatenate({input_options(s, classes), kernel_options(s), input_map_options(s),
                      likelihood_options(s, classes), posterior_options(s, classes),
                      optimiser_options(s, classes), evaluation_options(s),
                      checkpoint_options(s.resume, s.checkpoint_seconds)});
}

}  // namespace bochner::cli
