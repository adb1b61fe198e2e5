#include "bochner/compute/row_plan.hpp"

#include <algorithm>

#include "bochner/core/checks.hpp"

namespace bochner {

RowPlan RowPlan::make(Index rows, Index block, Index max_lanes) {
  check_at_least("RowPlan::make", "block", block, 1);
  check_at_least("RowPlan::make", "max_lanes", max_lanes, 1);
  RowPlan plan{.rows = rows, .block = block, .lanes = 1};
  plan.lanes = std::max<Index>(1, std::min(max_lanes, plan.blocks()));
  return plan;
}

void for_each_block(const Compute& compute, const RowPlan& plan,
                    const std::function<void(Index, Index, Index)>& f) {
  const Index blocks = plan.blocks();
  compute.threads.run(plan.lanes, [&](Index lane) {
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
