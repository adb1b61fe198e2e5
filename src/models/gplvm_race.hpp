#pragma once
#include <vector>

#include "gplvm_start.hpp"

namespace bochner {

/// The first guesses, best first: each is tried on at most 500 samples with the exact kernel for a few dozen steps, and
/// judged by the bound it reaches. From a wrong one no number of steps may lead out.
std::vector<Index> race(const Dataset& scaled, const FirstGuess& guess,
                        const std::vector<GplvmViewOptions>& views, const GplvmOptions& options,
                        const Rng& rng, const Threads& threads);

}  // namespace bochner
