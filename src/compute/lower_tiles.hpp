#pragma once
#include <algorithm>

#include "bochner/compute/compute.hpp"

namespace bochner {

/// f(i, ni, j, nj) for the tiles of an n x n matrix on and below its diagonal, in parallel: rows [i, i + ni), columns
/// [j, j + nj).
template <class F>
void for_each_lower_tile(const Compute& compute, Index n, Index side, const F& f) {
  const Index tiles = (n + side - 1) / side;
  compute.threads.run(tiles * (tiles + 1) / 2, [&](Index task) {
    Index row = 0;
    while (task > row) task -= ++row;
    const Index i = row * side, j = task * side;
    f(i, std::min(side, n - i), j, std::min(side, n - j));
  });
}

}  // namespace bochner
