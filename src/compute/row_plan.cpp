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

Index RowPlan::strand_of(Index lane) const { return lane / lanes_per_strand(lanes); }

Index RowPlan::strands() const { return strand_of(lanes - 1) + 1; }

Index RowPlan::accumulators()
    const {  // of each strand: the open lane, and a closed subtree of each smaller size
  return strands() * static_cast<Index>(std::bit_width(static_cast<std::size_t>(lanes_per_strand(lanes))));
}

void for_each_block(const Compute& compute, const RowPlan& plan,
                    const std::function<void(Index, Index, Index)>& f) {
  const Index blocks = plan.blocks(), each = lanes_per_strand(plan.lanes);
  compute.threads.run(plan.strands(), [&](Index strand) {
    for (Index lane = strand * each; lane < std::min(plan.lanes, (strand + 1) * each); ++lane)
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
