#include "options.hpp"

#include "bochner/models/bayes/names.hpp"
#include "cli/frame/run_options.hpp"

namespace bochner::cli {

namespace {

std::vector<Option> input_options(FitSettings& s) {
  return {{.name = "view",
           .placeholder = "TABLE",
           .help = "Table of observations, or NAME=TABLE",
           .target = &s.views,
           .group = Group::input,
           .required = true,
           .file = true,
           .positional = true},
          {.name = "meta",
           .placeholder = "FILE",
           .help = "Sample annotations, written to meta.csv in the order of latent.csv",
           .target = &s.meta,
           .group = Group::input,
           .file = true},
          {.name = "labels",
           .placeholder = "FILE:COLUMN",
           .help = "Class labels to learn from, as an additional view; variational only",
           .target = &s.labels,
           .group = Group::input,
           .file = true,
           .only_with = {"inference", "variational"}},
          {.name = "most-variable",
           .placeholder = "[NAME=]K",
           .help = "Keep the K columns of largest variance, compared in raw units",
           .target = &s.most_variable,
           .group = Group::input},
          {.name = "normalise",
           .placeholder = "[NAME=]rows",
           .help = "Divide samples by their root mean squares (cosine), for text and counts",
           .target = &s.normalise,
           .group = Group::input,
           .suggestions = {"rows", "none"},
           .aliases = {"normalize"}}};
}

std::vector<Option> model_options(FitSettings& s) {
  return {
      {.name = "inference",
       .placeholder = "METHOD",
       .help = "variational, or mcmc: posterior draws, also for counts",
       .target = &s.inference,
       .group = Group::model,
       .choices = {"variational", "mcmc"},
       .aliases = {"model"},
       .value_aliases = {{"bayes", "mcmc"}}},
      {.name = "dims",
       .placeholder = "Q",
       .help = "Number of latent dimensions; auto: as many as held-out entries pay for",
       .target = &s.dims,
       .group = Group::model,
       .low = 1,
       .high = 100,
       .zero_word = "auto"},
      {.name = "kernel",
       .placeholder = "[NAME=]K",
       .help = "Kernel: ngsm (default), sm, rbf, ...; mcmc: dp (default), rbf",
       .target = &s.kernel,
       .group = Group::model,
       .suggestions = {"ngsm", "sm", "bsm", "rbf", "matern12", "matern32", "matern52", "rbf+linear", "dp"}}};
}

std::vector<Option> kernel_options(FitSettings& s) {
  return {{.name = "mixtures",
           .placeholder = "R",
           .help = "Number of mixture components of ngsm, sm and bsm",
           .target = &s.mixtures,
           .group = Group::variational,
           .low = 1,
           .high = 1000,
           .aliases = {"components"}},
          {.name = "features",
           .placeholder = "METHOD",
           .help = "Features: exact, L or orthogonal:L (frequencies), nystrom:m",
           .target = &s.features,
           .group = Group::variational,
           .suggestions = {"auto", "exact", "100", "orthogonal:100", "nystrom:500"}},
          {.name = "scaling",
           .placeholder = "[NAME=]METHOD",
           .help = "Scaling: auto (default), none, centre, standardise, whole",
           .target = &s.scaling,
           .group = Group::variational,
           .suggestions = {"auto", "none", "centre", "standardise", "whole"}},
          {.name = "noise",
           .placeholder = "[NAME=]VAR",
           .help = "Fixed noise variance, for experiments; estimated by default",
           .target = &s.noise,
           .group = Group::variational},
          {.name = "noise-start",
           .placeholder = "[NAME=]VAR",
           .help = "Noise variance to start from, for experiments (default 0.5)",
           .target = &s.noise_start,
           .group = Group::variational},
          {.name = "precision",
           .placeholder = "P",
           .help = "Floating-point precision of features: double, single or auto",
           .target = &s.precision,
           .group = Group::variational,
           .choices = {"auto", "double", "single"}}};
}

std::vector<Option> optimiser_options(FitSettings& s) {
  return {{.name = "steps",
           .placeholder = "N",
           .help = "Maximum number of optimiser steps",
           .target = &s.steps,
           .group = Group::variational,
           .low = 1,
           .high = 1e7},
          {.name = "step-size",
           .placeholder = "S",
           .help = "Adam step size",
           .target = &s.step_size,
           .group = Group::variational,
           .low = 1e-6,
           .high = 1},
          {.name = "patience",
           .placeholder = "N",
           .help = "Steps without improvement before stopping",
           .target = &s.patience,
           .group = Group::variational,
           .low = 1,
           .high = 1e7},
          {.name = "restarts",
           .placeholder = "K",
           .help = "Number of starts; the best bound is kept",
           .target = &s.restarts,
           .group = Group::variational,
           .low = 0,
           .high = 1000,
           .shown_default = "1 to 6, by cost"}};
}

std::vector<Option> likelihood_options(FitSettings& s) {
  return {{.name = "likelihood",
           .placeholder = "[NAME=]L",
           .help = "Likelihood: gaussian, poisson, negbinom, ...; or --view NAME=TABLE:L",
           .target = &s.likelihood,
           .group = Group::mcmc,
           .suggestions = bayes_likelihood_names()},
          {.name = "trials",
           .placeholder = "[NAME=]N",
           .help = "Number of trials of binomial views, or a table of them",
           .target = &s.trials,
           .group = Group::mcmc},
          {.name = "time",
           .placeholder = "COLUMN",
           .help = "Column of times, in a view or --meta; latents become paths over time",
           .target = &s.time,
           .group = Group::mcmc},
          {.name = "group",
           .placeholder = "COLUMN",
           .help = "Column that separates trials, each with its own path",
           .target = &s.group,
           .group = Group::mcmc},
          {.name = "time-kernel",
           .placeholder = "K",
           .help = "Kernel of the paths: matern12, matern32, matern52, walk",
           .target = &s.time_kernel,
           .group = Group::mcmc,
           .choices = {"matern12", "matern32", "matern52", "walk"}},
          {.name = "forecast",
           .placeholder = "H",
           .help = "Forecast H steps beyond the last time point",
           .target = &s.forecast,
           .group = Group::mcmc,
           .low = 0,
           .high = 100000}};
}

std::vector<Option> sampler_options(FitSettings& s) {
  return {{.name = "frequencies",
           .placeholder = "L",
           .help = "Number of frequencies per view; 2 L features",
           .target = &s.frequencies,
           .group = Group::mcmc,
           .low = 1,
           .high = 10000},
          {.name = "chains",
           .placeholder = "C",
           .help = "Number of chains",
           .target = &s.chains,
           .group = Group::mcmc,
           .low = 1,
           .high = 1000},
          {.name = "warmup",
           .placeholder = "N",
           .help = "Warm-up sweeps per chain",
           .target = &s.warmup,
           .group = Group::mcmc,
           .low = 0,
           .high = 1e7},
          {.name = "draws",
           .placeholder = "N",
           .help = "Draws per chain",
           .target = &s.draws,
           .group = Group::mcmc,
           .low = 1,
           .high = 1e7},
          {.name = "thin",
           .placeholder = "N",
           .help = "Sweeps per draw",
           .target = &s.thin,
           .group = Group::mcmc,
           .low = 1,
           .high = 1e6},
          {.name = "start",
           .placeholder = "METHOD",
           .help = "Start of the chains: auto, variational (a short fit), isomap or pca",
           .target = &s.start,
           .group = Group::mcmc,
           .suggestions = {"auto", "variational", "isomap", "pca"}},
          {.name = "warm-start",
           .placeholder = "MODEL",
           .help = "Start the chains at the latents of a variational model.bochner",
           .target = &s.warm_start,
           .group = Group::mcmc,
           .file = true}};
}

std::vector<Option> evaluation_options(FitSettings& s) {
  return {{.name = "holdout",
           .placeholder = "FRACTION",
           .help = "Fraction of entries, and of views of samples, held out; 0 disables",
           .target = &s.holdout,
           .group = Group::evaluation,
           .low = 0,
           .high = 0.5}};
}

std::vector<Option> only_with(const std::string& inference, std::vector<Option> options) {
  for (Option& option : options) option.only_with = {"inference", inference};
  return options;
}

}  // namespace

std::vector<Option> fit_options(FitSettings& s) {
  return concatenate({input_options(s), model_options(s),
                      only_with("variational", concatenate({kernel_options(s), optimiser_options(s)})),
                      only_with("mcmc", concatenate({likelihood_options(s), sampler_options(s)})),
                      evaluation_options(s), checkpoint_options(s.resume, s.checkpoint_seconds)});
}

}  // namespace bochner::cli
