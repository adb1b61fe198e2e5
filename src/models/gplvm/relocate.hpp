#pragma once
#include "start.hpp"

namespace bochner {

/// Whether every view has a column that varies, as a term of the bound requires.
bool all_vary(const Dataset& data);

/// Moves samples that are stuck: gradients carry a latent to the next optimum of its own bound, which need not be the best one.
/// Two halves of the samples take turns: the functions are learned from one, and each sample of the other is embedded anew among
/// them, as a new sample would be. (Functions that have seen a sample where it is would hold it there.) A sample moves where
/// that gains more than `nats`; the number of those that did. `rng` deals the halves.
Index relocate(const ScaledData& scaled, const std::vector<Matrix>& filled, GplvmParameters& parameters,
               double nats, const Rng& rng, const Compute& compute);

}  // namespace bochner
