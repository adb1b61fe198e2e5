#pragma once
#include <functional>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// The pivots of a partial Cholesky factorisation with diagonal pivoting of a positive semidefinite A (n x n) that is
/// never formed: each time the index with the largest residual diagonal, until `max_rank` are chosen or the largest
/// residual is at most tolerance * mean diagonal. `column(i)` gives column i of A. Cost O(n rank^2), memory O(n rank).
/// With A a Gram matrix these are inducing points, and the residual is the variance they leave unexplained
/// [harbrecht2012].
std::vector<Index> pivots(const Vector& diagonal, const std::function<Vector(Index)>& column, Index max_rank,
                          double tolerance);

}  // namespace bochner
