#pragma once
#include <functional>

#include "objective.hpp"

namespace bochner {

/// Steps in units of what they move (ascent.cpp): means by sqrt(min(sd / first_sd, 1)), where first_sd is not 0, log sds by 1 and
/// all else by `shared`.
struct StepUnits {
  double first_sd = 0, shared = 1;
};

/// After each step; `fetch` brings the run from the device. Return false to stop.
using OnDeviceStep = std::function<bool(const Iteration&, const std::function<void()>& fetch)>;

/// maximize() of infer/adam.hpp for an objective whose views are all evaluated on an open device: latents, their moments and
/// their best values stay there, and `run` has them at the end. `first` is the number of the first step.
OptimizeResult maximize_on_device(GplvmObjective& objective, Index first, AdamRun& run,
                                  const AdamOptions& options, const StepUnits& units, const Compute& compute,
                                  const OnDeviceStep& on);

}  // namespace bochner
