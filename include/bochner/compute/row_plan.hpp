#pragma once
#include <functional>

#include "bochner/compute/compute.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// Rows 0 .. rows-1 cut into blocks, and neighbouring blocks dealt to lanes. A lane runs its blocks in order on one
/// thread, so whatever is summed per lane, and then over lanes in order, has the same bytes for any thread count.
struct RowPlan {
  Index rows = 0;
  Index block = 256;
  Index lanes = 1;

  /// lanes depends on the number of blocks only: at most `max_lanes`.
  static RowPlan make(Index rows, Index block = 256, Index max_lanes = 16);
  Index blocks() const { return (rows + block - 1) / block; }
};

/// f(lane, begin, size) for each block; lanes in parallel, blocks of a lane in order.
void for_each_block(const Compute& compute, const RowPlan& plan,
                    const std::function<void(Index lane, Index begin, Index size)>& f);

/// f(begin, size) for independent blocks of 0 .. rows-1 that write to disjoint places.
void for_each_block(const Compute& compute, Index rows, Index block,
                    const std::function<void(Index begin, Index size)>& f);

}  // namespace bochner
