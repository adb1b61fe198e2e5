#pragma once
#include "bochner/random/rng.hpp"

namespace bochner {

/// The median distance between rows of X, over up to a thousand of them; 1 where that is zero.
double median_distance(MatrixIn X, Rng rng);

}  // namespace bochner
