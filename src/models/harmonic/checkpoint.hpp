#pragma once
#include <vector>

#include "bochner/infer/adam.hpp"
#include "bochner/models/harmonic/fit.hpp"

namespace bochner::detail {

/// Everything that a fit carries from one step to the next: what HarmonicProgress::checkpoint holds.
struct HarmonicCheckpoint {
  Index step = 0;  // steps taken
  Index retries = 0;
  Index cool_from = -1;  // when the step size began to fall; -1: not yet
  HarmonicGp gp;
  std::vector<AdamState> adam;                 // kernel, likelihood, then Z, mean and factors of each group
  std::vector<std::vector<Matrix>> precision;  // of q(v), empty without natural gradients
  double smoothed = 0, smoothing_weight = 0;
  double best = 0;      // validation score, -infinity before the first
  Index best_step = 0;  // when
  HarmonicGp best_gp;   // what the fit would give now, and where it goes on after a breakdown
  std::vector<HarmonicStep> trace;
};

/// The best posterior so far is kept if there is one (best_step >= 0); where there is none, `best_gp` is read as `gp`.
ModelGroup checkpoint_group(const HarmonicCheckpoint& checkpoint);
/// InputError, with the file, if the group is something else or its parts do not fit together.
HarmonicCheckpoint harmonic_checkpoint_from(const ModelGroup& group);

}  // namespace bochner::detail
