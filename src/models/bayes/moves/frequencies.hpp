#pragma once
#include "weights.hpp"

namespace bochner {

/// Every frequency in turn, by Metropolis with its conditional prior as proposal [zhang2023, Eq. 22] or a random walk,
/// while its own two weights in each column are integrated out given all the others, and then drawn: the frequency is
/// judged by what it could do, not by weights that were fitted to the old one. O(N J) for each, however many features.
void update_frequencies(const BayesTable& table, const NormalTerms& terms, MatrixIn X, BayesViewState& view,
                        FrequencyMoves& moves, const Rng& rng, const Compute& compute);

/// The same for Poisson columns with offsets: frequency and weights are proposed together, the weights from a normal
/// approximation around the other features, and accepted or not together.
void update_poisson_frequencies(const BayesTable& table, MatrixIn offsets, MatrixIn X, BayesViewState& view,
                                FrequencyMoves& moves, const Rng& rng, const Compute& compute);

}  // namespace bochner
