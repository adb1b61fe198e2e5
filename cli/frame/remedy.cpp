#include "remedy.hpp"

#include <fmt/format.h>

namespace bochner::cli {

std::string remedy_text(const Warning& warning) {
  switch (warning.remedy) {
    case Remedy::none:
      return "";
    case Remedy::more_steps:
      return "increase --steps";
    case Remedy::smaller_step_size:
      return "look for extreme values, or decrease --step-size";
    case Remedy::more_restarts:
      return "increase --restarts";
    case Remedy::estimate_noise:
      return "omit --noise, which estimates it";
    case Remedy::smaller_noise_start:
      return "omit --noise-start, or decrease it";
    case Remedy::fewer_dims:
      return fmt::format("use --dims {}", warning.suggested);
    case Remedy::more_dims:
      return "increase --dims";
    case Remedy::more_draws:
      return "increase --draws";
    case Remedy::more_warmup_and_draws:
      return "increase --warmup and --draws";
    case Remedy::shorter_forecast:
      return "use a shorter --forecast, fewer --dims or --time-kernel matern12";
    case Remedy::negbinom_likelihood:
      return "use --likelihood negbinom";
    case Remedy::hold_out_entries:
      return "use --holdout 0.05";
    case Remedy::hold_out_rows:
      return "use --test 0.1";
    case Remedy::hold_out_samples:
      return "use --holdout 0.1";
    case Remedy::more_held_out_rows:
      return "increase --test";
    case Remedy::backtest:
      return "use --backtest 5";
    case Remedy::tune:
      return "try --tune, or use the baseline";
  }
  return "";
}

}  // namespace bochner::cli
