#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Spectral coordinates of the rows of Y (N x M, complete) [chen2011]: with affinities A of all rows to at most 500 of them as
/// landmarks, scaled by their sums on both sides, the left singular vectors after the trivial first. N x Q. Affinities have the
/// distance to the seventh nearest landmark as their scale [zelnik2004].
Matrix landmark_map(MatrixIn Y, Index Q, Rng rng, const Compute& compute);

}  // namespace bochner
