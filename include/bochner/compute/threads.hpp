#pragma once
#include <functional>
#include <memory>

#include "bochner/core/types.hpp"

namespace bochner {

/// A pool of worker threads, handed to whoever may use it; copies share the workers. The number of threads never
/// changes a result: work is cut into tasks by its size alone, and sums run over tasks in order (RowPlan).
class Threads {
 public:
  explicit Threads(int count = 1);  // count >= 1; the caller is one of them
  int count() const;

  /// Calls task(0) .. task(tasks - 1), each once, on any thread, and waits. If tasks throw, the exception of the
  /// lowest index is rethrown; tasks after it may or may not have run. A call from inside a task runs on that thread
  /// alone.
  void run(Index tasks, const std::function<void(Index)>& task) const;

 private:
  struct Pool;
  std::shared_ptr<Pool> pool_;
};

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
void for_each_block(const Threads& threads, const RowPlan& plan,
                    const std::function<void(Index lane, Index begin, Index size)>& f);

/// f(begin, size) for independent blocks of 0 .. rows-1 that write to disjoint places.
void for_each_block(const Threads& threads, Index rows, Index block,
                    const std::function<void(Index begin, Index size)>& f);

}  // namespace bochner
