#include "bochner/compute/threads.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

thread_local bool inside_task = false;

/// One call of Threads::run: which task is next, how many are still running, what went wrong first.
struct Batch {
  Index tasks;
  const std::function<void(Index)>* task;
  std::atomic<Index> next{0};
  std::mutex mutex;
  Index failed_task = -1;
  std::exception_ptr failure;

  void work() {
    inside_task = true;
    for (Index i = next.fetch_add(1); i < tasks; i = next.fetch_add(1)) {
      try {
        (*task)(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (failed_task < 0 || i < failed_task) {
          failed_task = i;
          failure = std::current_exception();
        }
      }
    }
    inside_task = false;
  }
};

}  // namespace

struct Threads::Pool {
  std::vector<std::thread> workers;
  std::mutex mutex;
  std::condition_variable wake, done;
  Batch* batch = nullptr;
  std::uint64_t generation = 0;
  int busy = 0;
  bool stopping = false;
  std::mutex callers;  // one batch at a time; a second caller waits its turn

  explicit Pool(int count) {
    try {
      for (int i = 1; i < count; ++i) workers.emplace_back([this] { serve(); });
    } catch (...) {  // the system grants no more threads: a joinable one must not be destroyed
      stop();
      throw;
    }
  }

  ~Pool() { stop(); }

  void stop() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    wake.notify_all();
    for (std::thread& worker : workers) worker.join();
  }

  void serve() {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return stopping || generation != seen; });
      if (stopping) return;
      seen = generation;
      Batch* mine = batch;
      lock.unlock();
      mine->work();
      lock.lock();
      if (--busy == 0) done.notify_one();
    }
  }

  void run(Batch& mine) {
    const std::lock_guard turn(callers);
    {
      const std::lock_guard lock(mutex);
      batch = &mine;
      busy = static_cast<int>(workers.size());
      ++generation;
    }
    wake.notify_all();
    mine.work();
    std::unique_lock lock(mutex);
    done.wait(lock, [&] { return busy == 0; });
    batch = nullptr;
  }
};

Threads::Threads(int count) {
  check_at_least("Threads", "count", count, 1);
  pool_ = std::make_shared<Pool>(count);
}

int Threads::count() const { return static_cast<int>(pool_->workers.size()) + 1; }

void Threads::run(Index tasks, const std::function<void(Index)>& task) const {
  if (tasks <= 0) return;
  if (inside_task || pool_->workers.empty() || tasks == 1) {
    for (Index i = 0; i < tasks; ++i) task(i);
    return;
  }
  Batch batch{.tasks = tasks, .task = &task};
  pool_->run(batch);
  if (batch.failure) std::rethrow_exception(batch.failure);
}

}  // namespace bochner
