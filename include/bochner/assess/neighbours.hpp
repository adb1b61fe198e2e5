#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// The k nearest points of each query in Euclidean distance, nearest first; of two at the same distance the
/// one with the smaller index comes first, and it alone is taken if only one fits.
struct Neighbours {
  MatrixT<Index> index;  // queries x k, rows of the reference
  Matrix distance;       // queries x k
};

/// Neighbours of the rows of `query` (N x D) among the rows of `reference` (R x D), 1 <= k <= R. A k-d tree
/// for few dimensions, all distances for many; the answer is the same.
Neighbours nearest_neighbours(MatrixIn reference, MatrixIn query, Index k,
                              const Compute& compute = Compute());

/// Neighbours of each row of X among the other rows, 1 <= k <= N - 1. A row is not its own neighbour, but a
/// copy of it is, at distance zero.
Neighbours nearest_others(MatrixIn X, Index k, const Compute& compute = Compute());

}  // namespace bochner
