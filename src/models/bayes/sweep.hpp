#pragma once
#include "model.hpp"

namespace bochner {

/// A state from the prior.
BayesState draw_prior(const BayesModel& model, Rng rng);

/// A state to start from: as far as known, everything else from the prior or at its most likely size.
BayesState start_at(const BayesModel& model, const BayesBeginning& beginning, const Rng& rng,
                    const Compute& compute);

struct SweepOptions {
  bool move_latents = true;     // false: only the functions learn
  bool move_paths = true;       // false: length-scales, variances and sizes of paths stay
  bool move_amplitudes = true;  // false: the variances of functions stay
};

/// One Gibbs sweep over everything. Leaves p(state | tables) invariant.
void sweep(const BayesModel& model, BayesState& state, BayesMoves& moves, const SweepOptions& options,
           const Rng& rng, const Compute& compute);

/// After so many warm-up sweeps: step sizes of random walks follow their acceptance.
void tune(BayesMoves& moves);

/// After every sweep that may have had a trajectory: steps of trajectories approach the acceptance that pays [neal2011], and stay when warm-up is over.
void tune(TrajectoryMoves& moves, bool warming);

}  // namespace bochner
