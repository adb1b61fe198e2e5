#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

// Log probabilities of counts, right to about 1e-12 however large the numbers are: Loader's saddle-point form
// [loader2000], where log k! never meets k log k and nothing cancels.

/// log P(k) of Poisson(mean): k log mean - mean - log k!, for k >= 0 and mean >= 0.
double poisson_log_pmf(Index k, double mean);

/// log P(k) of Binomial(n, p): log (n choose k) + k log p + (n - k) log(1 - p), 0 <= k <= n, p in [0, 1].
double binomial_log_pmf(Index k, Index n, double p);

}  // namespace bochner
