#pragma once
#include "src/models/gplvm/start.hpp"

namespace bochner {

/// Whether every view has a column that varies, as a term of the bound requires.
bool all_vary(const Dataset& data);

/// Moves samples that are stuck: gradients carry a latent to the next optimum of its own bound, which need not be the best one.
/// Two halves of the samples take turns: the functions are learned from one, and each sample of the other is embedded anew among
/// them, as a new sample would be. (Functions that have seen a sample where it is would hold it there.) Half of the samples may
/// tell too little about the others, so what seems to gain more than `nats` is checked given all others where they are by
/// then (moving_row.hpp), up to 1,500 samples. The number of those that moved; `rng` deals the halves.
Index relocate(const ScaledData& scaled, const std::vector<Matrix>& filled, GplvmParameters& parameters,
               double nats, const Rng& rng, const Compute& compute);

}  // namespace bochner
