#pragma once
#include <functional>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// Rows 0 .. rows-1 cut into blocks, neighbouring blocks dealt to lanes and neighbouring lanes to strands. A strand runs
/// on one thread, its lanes in order and the blocks of a lane in order, and lanes are added in a binary tree (LaneSum). All
/// of this follows from the number of rows, so a sum has the same bytes for any number of threads, and for any number of
/// processes, which own whole lanes.
struct RowPlan {
  /// Neighbouring lanes that are a subtree of the sum.
  struct Strand {
    Index first = 0, count = 1;
    friend bool operator==(const Strand&, const Strand&) = default;
  };

  Index rows = 0;
  Index block = 256;
  Index lanes = 1;
  Index rank = 0, ranks = 1;     // of a shared plan: which lanes are those of this process
  std::vector<Strand> shared{};  // its strands; none where the plan is not shared

  /// Lanes are a power of two: 16, from 2^20 rows one for 65,536 rows up to 4096, no more than there are blocks, and no more
  /// than `max_lanes`, for sums so large that memory is short.
  static RowPlan make(Index rows, Index block = 256, Index max_lanes = 4096);

  /// The same rows in the same lanes, of which rank r of P does [r lanes / P, (r + 1) lanes / P): for_each_block calls f for
  /// these alone, LaneSum adds up those of all ranks, and gather_rows (shared_sum.hpp) brings rows together, which are
  /// collective operations. Itself for a process that is alone.
  RowPlan shared_by(const Communicator& comm) const;

  Index blocks() const { return (rows + block - 1) / block; }
  Index strands() const;              // about 16 at most: what is in memory for each lane at work
  Index strand_of(Index lane) const;  // 0 .. strands() - 1; of a lane of this process
  Strand strand(Index s) const;
  Index accumulators() const;  // the most that a LaneSum holds at a time

  bool is_shared() const { return ranks > 1; }
  Index first_lane(Index r) const {
    return r * lanes / ranks;
  }  // of rank r; those of rank r + 1 follow its own
  Index first_row(Index r) const;

  /// The largest subtrees that rank r holds wholly, from left to right: what it hands to the others.
  std::vector<Strand> roots_of(Index r) const;
};

/// Neighbouring lanes that one thread runs in order: a power of two, so that they are a subtree of the sum.
Index lanes_per_strand(Index lanes);

/// The order in which lanes are added: of `count` >= 2 neighbours, the sum of the first left_of_tree(count) and the sum of
/// the others, each by the same rule.
Index left_of_tree(Index count);

/// f(lane, begin, size) for each block; strands in parallel, lanes and blocks of a strand in order.
void for_each_block(const Compute& compute, const RowPlan& plan,
                    const std::function<void(Index lane, Index begin, Index size)>& f);

/// f(begin, size) for independent blocks of 0 .. rows-1 that write to disjoint places.
void for_each_block(const Compute& compute, Index rows, Index block,
                    const std::function<void(Index begin, Index size)>& f);

}  // namespace bochner
