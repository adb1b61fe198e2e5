#pragma once
#include <algorithm>

#include "bochner/compute/compute.hpp"

namespace bochner {

/// f(i, ni, j, nj) for the tiles of an n x n matrix on and below its diagonal, in parallel: rows [i, i + ni), columns
/// [j, j + nj). Of `ranks` processes, those of one, which are as many as those of the others.
template <class F>
void for_each_lower_tile(const Compute& compute, Index n, Index side, const F& f, Index rank = 0,
                         Index ranks = 1) {
  const Index tiles = (n + side - 1) / side, all = tiles * (tiles + 1) / 2;
  compute.threads.run((all - rank + ranks - 1) / ranks, [&](Index own) {
    Index row = 0, task = rank + own * ranks;
    while (task > row) task -= ++row;
    const Index i = row * side, j = task * side;
    f(i, std::min(side, n - i), j, std::min(side, n - j));
  });
}

}  // namespace bochner
