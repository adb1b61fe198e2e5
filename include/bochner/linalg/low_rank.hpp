#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

struct LowRankOptions {
  Index oversampling = 10;     // extra random directions
  Index power_iterations = 2;  // sharpen a slowly decaying spectrum
};

/// A (n x m) = U diag(values) V' up to the chosen rank.
struct LowRankSvd {
  Matrix U;       // n x rank
  Vector values;  // rank, from the largest down
  Matrix V;       // m x rank
};

/// Randomised range finder with power iterations [halko2011, Alg. 4.4 and 5.1]. rank is cut to min(n, m).
LowRankSvd randomized_svd(MatrixIn A, Index rank, const LowRankOptions& options, Rng rng,
                          const Compute& compute);

/// B (n x rank) with B B' close to the symmetric positive semidefinite A, never above it: the Nystrom approximation
/// on a random subspace [tropp2017, Alg. 3]. Exact when A has that rank.
Matrix randomized_psd_factor(MatrixIn A, Index rank, const LowRankOptions& options, Rng rng,
                             const Compute& compute);

}  // namespace bochner
