#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

struct IsomapOptions {
  Index dims = 2;           // Q
  double neighbours = 0.1;  // share of the landmarks that count as near, at least 5 of them
  Index landmarks = 500;    // rows whose shortest paths are computed; all of them when there are fewer rows
};

/// Coordinates N x Q that keep distances along the data [tenenbaum2000]: shortest paths through near rows, then
/// classical scaling. Other rows than the landmarks get the coordinates that their paths to these ask for
/// [desilva2003]. Parts of the data without a path between them are joined at their closest rows. Y (N x M) finite.
/// O(L^3 + N L M) time for L landmarks.
Matrix isomap(MatrixIn Y, const IsomapOptions& options, Rng rng, const Compute& compute);

}  // namespace bochner
