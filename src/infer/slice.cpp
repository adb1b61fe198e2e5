#include "bochner/infer/slice.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {

SliceMove slice_sample(const std::function<double(double)>& log_density, double x, double log_density_x,
                       Rng& rng, const SliceOptions& options) {
  const char* const function = "slice_sample";
  check_positive(function, "width", options.width);
  check_at_least(function, "max_expansions", options.max_expansions, 1);
  check_at_least(function, "max_shrinks", options.max_shrinks, 1);
  check_between(function, "x", x, options.lower, options.upper);
  if (!std::isfinite(log_density_x)) {
    std::ostringstream message;
    message << function << ": the log density at x is " << log_density_x
            << ", so there is no slice to sample from";
    throw NumericalError(message.str());
  }
  const auto density = [&](double at) {  // -inf where there is none
    try {
      const double value = log_density(at);
      return std::isfinite(value) ? value : -std::numeric_limits<double>::infinity();
    } catch (const NumericalError&) {
      return -std::numeric_limits<double>::infinity();
    }
  };

  SliceMove move{.x = x, .log_density = log_density_x};
  const double level = log_density_x + std::log(rng.uniform());

  // Step out. The random split of the budget between the two ends keeps the move reversible. An end on the
  // border of the support is a fixed cut of the bracket, the same from every point of the slice.
  double left = x - options.width * rng.uniform(), right = left + options.width;
  Index grow_left = Index(double(options.max_expansions) * rng.uniform());
  Index grow_right = options.max_expansions - 1 - grow_left;
  for (; grow_left > 0 && left > options.lower && density(left) > level; --grow_left, ++move.expansions)
    left -= options.width;
  for (; grow_right > 0 && right < options.upper && density(right) > level; --grow_right, ++move.expansions)
    right += options.width;
  left = std::max(left, options.lower);
  right = std::min(right, options.upper);

  while (move.shrinks < options.max_shrinks) {
    const double proposal = left + (right - left) * rng.uniform();
    const double value = density(proposal);
    if (value > level) {
      move.x = proposal;
      move.log_density = value;
      move.moved = true;
      return move;
    }
    (proposal < x ? left : right) = proposal;
    ++move.shrinks;
  }
  return move;
}

}  // namespace bochner
