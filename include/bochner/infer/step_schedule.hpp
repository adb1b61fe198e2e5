#pragma once
#include <variant>

#include "bochner/core/types.hpp"

namespace bochner {

// The step size at iteration t of T is `step * step_factor(schedule, t, T)`, t = 0 .. T-1.

/// 1.
struct ConstantStep {};

/// last + (1 - last) (1 + cos(pi t / T)) / 2: from 1 down to `last`   [loshchilov2017, Eq. 5]
struct CosineStep {
  double last = 0.0;  // in [0, 1]
};

/// factor^floor(t / every).
struct DecayingStep {
  Index every = 1000;   // >= 1
  double factor = 0.5;  // in (0, 1]
};

using StepSchedule = std::variant<ConstantStep, CosineStep, DecayingStep>;

double step_factor(const StepSchedule& schedule, Index t, Index T);
void check_schedule(const char* function, const StepSchedule& schedule);

}  // namespace bochner
