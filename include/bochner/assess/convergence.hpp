#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

// Has a sampler converged, and what are its draws worth? All after [vehtari2021]; `draws` is chains x draws
// of one quantity, at least 1 x 4, finite. Each chain is cut in two, so a trend within one chain counts as
// disagreement between chains (with an odd number of draws the middle one is left out). "Rank-normalised"
// replaces a draw by Phi^-1((rank - 3/8) / (S + 1/4)), average ranks over ties, which works for heavy tails
// as well. Draws that do not vary tell nothing: NaN. The results are those of ArviZ's `ess` and `rhat` and of
// the R package posterior.

/// The larger of the split-R-hat of the rank-normalised draws and of the rank-normalised |draws - median|.
/// Trust < 1.01.
double rhat(MatrixIn draws);

/// Effective number of draws for the bulk of the distribution: of the rank-normalised split chains.
double ess_bulk(MatrixIn draws);

/// Effective number of draws for the tails: the smaller of those of [x <= 5 % quantile] and [x <= 95 %
/// quantile]. One of these that does not vary, as with draws of few values, counts as all draws.
double ess_tail(MatrixIn draws);

/// Effective number of draws for the mean: of the split chains as they are. The Monte-Carlo standard error of
/// the mean is sd(draws) / sqrt(ess_mean).
double ess_mean(MatrixIn draws);

}  // namespace bochner
