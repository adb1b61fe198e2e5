#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Up to k centres of the rows of X: a k-means++ start [arthur2007] and a few rounds of Lloyd's algorithm. Fewer than k when
/// there are fewer different rows.
Matrix k_means(MatrixIn X, Index k, Rng rng, const Compute& compute, Index rounds = 10);

}  // namespace bochner
