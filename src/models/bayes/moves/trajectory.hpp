#pragma once
#include "src/models/bayes/model.hpp"

namespace bochner {

/// Latents and functions together along a Hamiltonian trajectory [neal2011] in whitened coordinates: what bends the latent
/// space and the functions over it at once, which updates of one given the other do in small steps only.
void move_along_trajectory(const BayesModel& model, BayesState& state, TrajectoryMoves& moves, const Rng& rng,
                           const Compute& compute);

/// How often a sweep should have a trajectory, given what it costs beside the other updates. It depends on nothing that a
/// chain moves once warm-up is over.
double trajectory_chance(const BayesModel& model, const TrajectoryMoves& moves);

}  // namespace bochner
