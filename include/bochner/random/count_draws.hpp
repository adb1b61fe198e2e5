#pragma once
#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

// Exact draws of counts (up to the 53 bits of a uniform), a handful of uniforms each whatever the mean.

/// Poisson(mean), 0 <= mean <= 1e15. Inversion below 10, above it transformed rejection [hormann1993a, PTRS].
Index poisson(double mean, Rng& rng);

/// Binomial(n, p), 0 <= n <= 1e15, p in [0, 1]. Inversion where n min(p, 1-p) < 10, else transformed
/// rejection [hormann1993b, BTRS].
Index binomial(Index n, double p, Rng& rng);

/// Negative binomial of size r > 0 with odds = p / (1 - p) >= 0: P(k) ~ Gamma(k + r) / k! p^k (1 - p)^r, mean
/// r odds, variance r odds (1 + odds). Drawn as a Poisson whose mean is Gamma(r) odds.
/// With odds = exp(f) this is the NB(r, logistic(f)) of [zhang2023, Eq. 29]; in numpy it is
/// negative_binomial(n = r, p = 1 / (1 + odds)).
Index negative_binomial(double r, double odds, Rng& rng);

/// n trials over the categories, with probabilities proportional to `weights` (>= 0, not all zero): one count
/// per category, by conditional binomials.
IndexVector multinomial(Index n, VectorIn weights, Rng& rng);

}  // namespace bochner
