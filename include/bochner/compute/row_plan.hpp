#pragma once
#include <functional>

#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// Rows 0 .. rows-1 cut into blocks, neighbouring blocks dealt to lanes and neighbouring lanes to strands. A strand runs
/// on one thread, its lanes in order and the blocks of a lane in order, and lanes are added in a binary tree (LaneSum). All
/// of this follows from the number of rows, so a sum has the same bytes for any number of threads, and will have them for
/// any number of processes, which own whole lanes.
struct RowPlan {
  Index rows = 0;
  Index block = 256;
  Index lanes = 1;

  /// Lanes are a power of two: 16, from 2^20 rows one for 65,536 rows up to 4096, no more than there are blocks, and no more
  /// than `max_lanes`, for sums so large that memory is short.
  static RowPlan make(Index rows, Index block = 256, Index max_lanes = 4096);

  Index blocks() const { return (rows + block - 1) / block; }
  Index strands() const;              // at most 16: what is in memory for each lane at work
  Index strand_of(Index lane) const;  // 0 .. strands() - 1
  Index accumulators() const;         // the most that a LaneSum holds at a time
};

/// Neighbouring lanes that one thread runs in order: a power of two, so that they are a subtree of the sum.
Index lanes_per_strand(Index lanes);

/// f(lane, begin, size) for each block; strands in parallel, lanes and blocks of a strand in order.
void for_each_block(const Compute& compute, const RowPlan& plan,
                    const std::function<void(Index lane, Index begin, Index size)>& f);

/// f(begin, size) for independent blocks of 0 .. rows-1 that write to disjoint places.
void for_each_block(const Compute& compute, Index rows, Index block,
                    const std::function<void(Index begin, Index size)>& f);

}  // namespace bochner
