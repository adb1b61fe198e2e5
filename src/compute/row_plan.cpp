#include "bochner/compute/row_plan.hpp"

#include <algorithm>
#include <bit>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

constexpr Index usual_lanes = 16, most_lanes = 4096, most_strands = 16;
constexpr Index many_rows = Index{1} << 20, rows_of_lane = Index{1} << 16;

Index power_of_two_below(Index n) {  // or n itself
  return static_cast<Index>(std::bit_floor(static_cast<std::size_t>(n)));
}

/// The largest subtrees of `tree` with at most `most` lanes that lie within [from, to), from left to right.
void add_subtrees(const RowPlan::Strand& tree, Index from, Index to, Index most,
                  std::vector<RowPlan::Strand>& out) {
  const Index end = tree.first + tree.count;
  if (end <= from || to <= tree.first) return;
  if (from <= tree.first && end <= to && tree.count <= most) return out.push_back(tree);
  const Index left = left_of_tree(tree.count);
  add_subtrees({tree.first, left}, from, to, most, out);
  add_subtrees({tree.first + left, tree.count - left}, from, to, most, out);
}

}  // namespace

RowPlan RowPlan::make(Index rows, Index block, Index max_lanes) {
  check_at_least("RowPlan::make", "block", block, 1);
  check_at_least("RowPlan::make", "max_lanes", max_lanes, 1);
  RowPlan plan{.rows = rows, .block = block, .lanes = 1};
  const Index wanted = rows < many_rows ? usual_lanes : std::min(rows / rows_of_lane, most_lanes);
  plan.lanes = power_of_two_below(std::max<Index>(1, std::min({wanted, plan.blocks(), max_lanes})));
  return plan;
}

Index lanes_per_strand(Index lanes) {
  return static_cast<Index>(
      std::bit_ceil(static_cast<std::size_t>((lanes + most_strands - 1) / most_strands)));
}

Index left_of_tree(Index count) { return power_of_two_below(count - 1); }

RowPlan RowPlan::shared_by(const Communicator& comm) const {
  RowPlan out = *this;
  if (comm.is_alone()) return out;
  out.rank = comm.rank();
  out.ranks = comm.size();
  const Index from = out.first_lane(out.rank), to = out.first_lane(out.rank + 1);
  if (from < to) add_subtrees({0, lanes}, from, to, lanes_per_strand(to - from), out.shared);
  return out;
}

std::vector<RowPlan::Strand> RowPlan::roots_of(Index r) const {
  std::vector<Strand> out;
  add_subtrees({0, lanes}, first_lane(r), first_lane(r + 1), lanes, out);
  return out;
}

Index RowPlan::first_row(Index r) const { return std::min(rows, first_lane(r) * blocks() / lanes * block); }

Index RowPlan::strand_of(Index lane) const {
  if (!is_shared()) return lane / lanes_per_strand(lanes);
  const auto after = std::upper_bound(shared.begin(), shared.end(), lane,
                                      [](Index l, const Strand& strand) { return l < strand.first; });
  return after - shared.begin() - 1;
}

Index RowPlan::strands() const {
  return is_shared() ? static_cast<Index>(shared.size()) : (lanes - 1) / lanes_per_strand(lanes) + 1;
}

RowPlan::Strand RowPlan::strand(Index s) const {
  if (is_shared()) return shared[static_cast<std::size_t>(s)];
  const Index each = lanes_per_strand(lanes);
  return {s * each, std::min(each, lanes - s * each)};
}

Index RowPlan::accumulators()
    const {  // of each strand: the open lane, and a closed subtree of each smaller size
  const auto held = [](Index count) { return static_cast<Index>(std::bit_width(std::size_t(count))); };
  if (!is_shared()) return strands() * held(lanes_per_strand(lanes));
  Index out = 0;
  for (const Strand& strand : shared) out += held(strand.count);
  return out;
}

void for_each_block(const Compute& compute, const RowPlan& plan,
                    const std::function<void(Index, Index, Index)>& f) {
  const Index blocks = plan.blocks();
  compute.threads.run(plan.strands(), [&](Index s) {
    const RowPlan::Strand strand = plan.strand(s);
    for (Index lane = strand.first; lane < strand.first + strand.count; ++lane)
      for (Index b = lane * blocks / plan.lanes; b < (lane + 1) * blocks / plan.lanes; ++b) {
        const Index begin = b * plan.block;
        f(lane, begin, std::min(plan.block, plan.rows - begin));
      }
  });
}

void for_each_block(const Compute& compute, Index rows, Index block,
                    const std::function<void(Index, Index)>& f) {
  check_at_least("for_each_block", "block", block, 1);
  compute.threads.run((rows + block - 1) / block,
                      [&](Index b) { f(b * block, std::min(block, rows - b * block)); });
}

}  // namespace bochner
