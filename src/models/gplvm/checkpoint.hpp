#pragma once
#include <array>
#include <limits>
#include <vector>

#include "bochner/infer/adam.hpp"
#include "bochner/models/gplvm/fit.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

/// Everything that a fit carries from one step to the next: what GplvmProgress::checkpoint holds.
struct GplvmCheckpoint {
  Index start = 0;                          // which restart is under way
  enum class Phase { climb, cool, check };  // ascent.hpp
  Phase phase = Phase::climb;
  bool released = false;   // kernels are those asked for, not their simple forms
  bool refined = false;    // features are those asked for, too
  bool settled = false;    // the last check gained nothing
  bool moved = false;      // samples were moved before the phase under way
  Index steps_before = 0;  // steps of its earlier phases
  double first = 0;        // bound per entry of its first step
  double reached = -std::numeric_limits<double>::infinity();  // and at the end of the last phase
  // The best bounds per entry at the end of a climb so far: of starts by way of the simple kernels, and of the others.
  std::array<double, 2> climbed{-std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()};
  Vector simple_theta;  // the optimum of the simple kernels, once released
  std::vector<Vector> simple_guesses;
  double simple_value = -std::numeric_limits<double>::infinity();
  AdamRun run;                   // the optimiser
  std::vector<Vector> guesses;   // what missing entries hold now, per view
  std::vector<GplvmStep> trace;  // of all starts so far
  // the best start that has ended
  std::vector<double> ended;  // bound of each
  Vector best_theta;
  std::vector<Vector> best_guesses;
  Index best_start = 0, best_steps = 0;
  Status best_status = Status::converged;
  double jitter = 0;
};

ModelGroup checkpoint_group(const GplvmCheckpoint& checkpoint);
/// InputError, with the file, if the group is something else or its parts do not fit together.
GplvmCheckpoint gplvm_checkpoint_from(const ModelGroup& group);

}  // namespace bochner::detail
