#include "options.hpp"

#include "cli/frame/run_options.hpp"

namespace bochner::cli {

namespace {

std::vector<Option> input_options(ForecastSettings& s) {
  return {{.name = "series",
           .placeholder = "TABLE",
           .help = "Table with times in rows and series in columns",
           .target = &s.series,
           .group = Group::input,
           .required = true,
           .file = true,
           .positional = true},
          {.name = "column",
           .placeholder = "NAME",
           .help = "Series to forecast; default all",
           .target = &s.columns,
           .group = Group::input},
          {.name = "known",
           .placeholder = "TABLE",
           .help = "Covariates known in advance, for the past and the forecast steps",
           .target = &s.known,
           .group = Group::input,
           .file = true}};
}

std::vector<Option> kernel_options(ForecastSettings& s) {
  return {{.name = "lags",
           .placeholder = "P",
           .help = "Number of lags; a forecast uses the last P + 1 times",
           .target = &s.lags,
           .group = Group::model,
           .low = 0,
           .high = 1e5},
          {.name = "dims",
           .placeholder = "S",
           .help = "Number of components",
           .target = &s.dims,
           .group = Group::model,
           .low = 0,
           .high = 1e5,
           .shown_default = "a tenth of the windows, 10 to 200"},
          {.name = "kernel",
           .placeholder = "K",
           .help = "Kernel of the past: rbf, linear, matern32, ...",
           .target = &s.kernel,
           .group = Group::model,
           .suggestions = {"rbf", "linear", "poly2", "matern32"}},
          {.name = "lengthscale",
           .placeholder = "L",
           .help = "Length-scale of the standardised series",
           .target = &s.lengthscale,
           .group = Group::model,
           .low = 0,
           .shown_default = "the median distance"},
          {.name = "features",
           .placeholder = "METHOD",
           .help = "Features: exact, finite, L, orthogonal:L, nystrom:m",
           .target = &s.features,
           .group = Group::model,
           .suggestions = {"auto", "exact", "finite", "orthogonal:100", "nystrom:500"}},
          {.name = "solver",
           .placeholder = "METHOD",
           .help = "Solver: primal, dual, primal-stiefel, dual-stiefel",
           .target = &s.solver,
           .group = Group::model,
           .suggestions = {"auto", "primal", "dual", "primal-stiefel", "dual-stiefel"}},
          {.name = "preimage",
           .placeholder = "METHOD",
           .help = "Preimage: ridge, or identity for noise-free series",
           .target = &s.preimage,
           .group = Group::model,
           .choices = {"ridge", "identity"}}};
}

std::vector<Option> evaluation_options(ForecastSettings& s) {
  return {{.name = "backtest",
           .placeholder = "N",
           .help = "Number of backtest folds at the end of the series; 0 disables",
           .target = &s.backtest,
           .group = Group::evaluation,
           .low = 0,
           .high = 1000},
          {.name = "tune",
           .help = "Select lags, length-scale and components by a backtest",
           .target = &s.tune,
           .group = Group::evaluation},
          {.name = "season",
           .placeholder = "T",
           .help = "Period of the seasonal naive baseline",
           .target = &s.season,
           .group = Group::evaluation,
           .low = 0,
           .high = 1e6,
           .shown_default = "from the autocorrelation"}};
}

std::vector<Option> output_options(ForecastSettings& s) {
  return {{.name = "steps",
           .placeholder = "H",
           .help = "Number of steps to forecast",
           .target = &s.steps,
           .group = Group::output,
           .low = 1,
           .high = 1e6},
          {.name = "coverage",
           .placeholder = "FRACTION",
           .help = "Coverage of a prediction interval; default 0.8 and 0.95",
           .target = &s.coverage,
           .group = Group::output}};
}

}  // namespace

std::vector<Option> forecast_options(ForecastSettings& s) {
  return concatenate({input_options(s), kernel_options(s), evaluation_options(s), output_options(s)});
}

}  // namespace bochner::cli
