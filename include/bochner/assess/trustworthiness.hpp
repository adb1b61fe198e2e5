#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// Does the embedding Z (N x Q) invent neighbours? With r(i, j) the rank of j among the distances from i in X
/// (N x D),
///
///     T = 1 - 2 / (N k (2N - 3k - 1)) sum_i sum_{j in k nearest of i in Z} max(0, r(i, j) - k) [venna2001]
///
/// in [0, 1], 1 if the k nearest in Z are among the k nearest in X. 1 <= k < N / 2. Euclidean distances, ties
/// by index; equals scikit-learn's `trustworthiness`. Time O(N^2 (D + k)), memory O(N).
double trustworthiness(MatrixIn X, MatrixIn Z, Index k = 5, const Compute& compute = Compute());

/// Does it tear neighbours apart? The same with the roles of X and Z exchanged: the k nearest in X, ranked in
/// Z.
double continuity(MatrixIn X, MatrixIn Z, Index k = 5, const Compute& compute = Compute());

}  // namespace bochner
