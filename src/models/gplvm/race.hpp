#pragma once
#include <functional>
#include <vector>

#include "start.hpp"

namespace bochner {

/// The first guesses, best first: each is tried on at most 500 samples with the exact kernel for a few dozen steps, and
/// judged by the bound it reaches. A false `go_on` ends it early. From a wrong one no number of steps may lead out.
std::vector<Index> race(const Dataset& scaled, const FirstGuess& guess,
                        const std::vector<GplvmViewOptions>& views, const GplvmOptions& options,
                        const std::function<bool()>& go_on, const Rng& rng, const Compute& compute);

}  // namespace bochner
