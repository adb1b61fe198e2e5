#pragma once
#include <limits>

#include "bochner/core/types.hpp"

namespace bochner {

/// All that a first-order run carries from one iteration to the next: a plain value that can be copied, saved
/// and resumed, and a resumed run has the same bytes as one that was never interrupted. Start it with `theta`
/// and `state`; the other fields belong to the optimiser. Values are in the sign that is minimised.
template <class Point, class State>
struct Descent {
  Point theta{};        // where the next evaluation will be
  State state{};        // the moments of the optimiser
  Index iteration = 0;  // evaluations so far
  Index retries = 0;    // retreats so far; the step size is scaled by 2^-retries

  double smoothed = 0, smoothing_weight = 0;  // running mean of the values, and its total weight
  // The last value and the one before; running mean of half the squared differences of values two steps apart.
  double previous = 0, before_previous = 0, noise = 0;
  Index falls = 0;  // retreats because the running mean fell away; they halve the step too

  Point best_theta{};  // the state to step back to
  State best_state{};
  double best_value = std::numeric_limits<double>::infinity();
  double best_gradient_norm = std::numeric_limits<double>::infinity();

  double flat_value = std::numeric_limits<double>::infinity();  // last value that counted as progress
  Index flat_for = 0;                                           // iterations since then
};

}  // namespace bochner
