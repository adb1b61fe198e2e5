#include "bochner/assess/warning.hpp"

#include <fmt/format.h>

#include "bochner/core/counted.hpp"

namespace bochner {

const char* to_string(Remedy remedy) {
  switch (remedy) {
    case Remedy::none:
      return "none";
    case Remedy::more_steps:
      return "more_steps";
    case Remedy::smaller_step_size:
      return "smaller_step_size";
    case Remedy::more_restarts:
      return "more_restarts";
    case Remedy::estimate_noise:
      return "estimate_noise";
    case Remedy::smaller_noise_start:
      return "smaller_noise_start";
    case Remedy::fewer_dims:
      return "fewer_dims";
    case Remedy::more_dims:
      return "more_dims";
    case Remedy::more_draws:
      return "more_draws";
    case Remedy::more_warmup_and_draws:
      return "more_warmup_and_draws";
    case Remedy::shorter_forecast:
      return "shorter_forecast";
    case Remedy::negbinom_likelihood:
      return "negbinom_likelihood";
    case Remedy::hold_out_entries:
      return "hold_out_entries";
    case Remedy::hold_out_rows:
      return "hold_out_rows";
    case Remedy::hold_out_samples:
      return "hold_out_samples";
    case Remedy::more_held_out_rows:
      return "more_held_out_rows";
    case Remedy::backtest:
      return "backtest";
    case Remedy::tune:
      return "tune";
  }
  return "";
}

const char* to_string(Warning::Kind kind) {
  using Kind = Warning::Kind;
  switch (kind) {
    case Kind::stopped:
      return "stopped";
    case Kind::not_settled:
      return "not_settled";
    case Kind::not_finite:
      return "not_finite";
    case Kind::homogeneous:
      return "homogeneous";
    case Kind::collapsed:
      return "collapsed";
    case Kind::noise_too_large:
      return "noise_too_large";
    case Kind::noise_too_small:
      return "noise_too_small";
    case Kind::duplicated:
      return "duplicated";
    case Kind::no_better:
      return "no_better";
    case Kind::linear_better:
      return "linear_better";
    case Kind::neighbours_better:
      return "neighbours_better";
    case Kind::coverage:
      return "coverage";
    case Kind::absent_view:
      return "absent_view";
    case Kind::starts_differ:
      return "starts_differ";
    case Kind::few_samples:
      return "few_samples";
    case Kind::jitter:
      return "jitter";
    case Kind::not_mixed:
      return "not_mixed";
    case Kind::wild_forecast:
      return "wild_forecast";
    case Kind::poor_forecast:
      return "poor_forecast";
    case Kind::no_variation:
      return "no_variation";
    case Kind::tuned_on_folds:
      return "tuned_on_folds";
    case Kind::not_judged:
      return "not_judged";
  }
  return "";
}

bool is_convergence(Warning::Kind kind) {
  using Kind = Warning::Kind;
  // Whoever has stopped a fit knows.
  return kind == Kind::not_settled || kind == Kind::not_finite || kind == Kind::not_mixed;
}

std::string general_remedy(const Warning& warning) {
  switch (warning.remedy) {
    case Remedy::none:
      return "";
    case Remedy::more_steps:
      return "increase the number of steps";
    case Remedy::smaller_step_size:
      return "look for extreme values, or decrease the step size";
    case Remedy::more_restarts:
      return "increase the number of starts";
    case Remedy::estimate_noise:
      return "let the fit estimate the noise";
    case Remedy::smaller_noise_start:
      return "begin with less noise";
    case Remedy::fewer_dims:
      return "use " + counted(warning.suggested, "dimension");
    case Remedy::more_dims:
      return "increase the number of dimensions";
    case Remedy::more_draws:
      return "increase the number of draws";
    case Remedy::more_warmup_and_draws:
      return "increase the numbers of warm-up sweeps and draws";
    case Remedy::shorter_forecast:
      return "use a shorter forecast, fewer dimensions or paths of the kind matern12";
    case Remedy::negbinom_likelihood:
      return "use the likelihood negbinom";
    case Remedy::hold_out_entries:
      return "hold out some entries";
    case Remedy::hold_out_rows:
      return "hold out some rows";
    case Remedy::hold_out_samples:
      return "hold out some samples";
    case Remedy::more_held_out_rows:
      return "hold out more rows";
    case Remedy::backtest:
      return "run a backtest";
    case Remedy::tune:
      return "tune lags, length-scale and components, or use the baseline";
  }
  return "";
}

std::string with_remedy(const Warning& warning, const RemedyText& remedy) {
  const std::string text = remedy ? remedy(warning) : "";
  return text.empty() ? warning.message : fmt::format("{} ({})", warning.message, text);
}

}  // namespace bochner
