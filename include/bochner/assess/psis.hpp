#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// Importance weights whose largest values are replaced by quantiles of a generalised Pareto distribution.
struct ParetoSmoothed {
  Vector log_weights;   // S, normalised: their exponentials sum to one
  double pareto_k = 0;  // shape of the tail; infinite if it has too few different values to tell
};

/// Pareto-smoothed importance sampling [vehtari2024]. `reff`: what a draw is worth in independent ones. The tail is the largest
/// min(S / 5, 3 sqrt(S / reff)) ratios, as in the R package loo and in ArviZ.
ParetoSmoothed psis(Vector log_ratios, double reff);

}  // namespace bochner
