#pragma once
#include "bochner/random/rng.hpp"

namespace bochner {

/// True with probability min(1, exp(log_ratio)), where for a move x -> x' proposed from q
/// log_ratio = log p(x') - log p(x) + log q(x | x') - log q(x' | x). NaN rejects. Draws one uniform in every
/// case, so that the numbers that follow do not depend on the outcome. For tuning a proposal scale see
/// dual_averaging.hpp.
bool metropolis_accept(double log_ratio, Rng& rng);

}  // namespace bochner
