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

}  // namespace bochner
