#include "bochner/compute/threads.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace bochner::threads_test {
namespace {

const int counts[] = {1, 2, 7};

TEST(Threads, EveryTaskRunsOnce) {
  for (const int count : counts) {
    const Threads threads(count);
    EXPECT_EQ(threads.count(), count);
    for (const Index tasks : {0, 1, 2, 6, 7, 8, 1000}) {
      std::vector<std::atomic<int>> runs(tasks);
      threads.run(tasks, [&](Index i) { ++runs[i]; });
      for (const auto& n : runs) EXPECT_EQ(n, 1);
    }
  }
}

// Each task waits for the other one, so both must run at the same time.
TEST(Threads, WorkIsSharedBetweenThreads) {
  std::atomic<int> arrived = 0, met = 0;
  Threads(2).run(2, [&](Index) {
    ++arrived;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (arrived < 2 && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
    met += arrived == 2 && std::chrono::steady_clock::now() < deadline;
  });
  EXPECT_EQ(met, 2);
}

// Task 3 waits until another thread is past task 13, so that the first to fail is not the lowest index.
TEST(Threads, TheExceptionOfTheLowestIndexWins) {
  for (const int count : counts) {
    const Threads threads(count);
    for (int repeat = 0; repeat < 50; ++repeat) {
      std::atomic<bool> later_one_failed = count == 1;
      try {
        threads.run(64, [&](Index i) {
          const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
          while (i == 3 && !later_one_failed && std::chrono::steady_clock::now() < deadline)
            std::this_thread::yield();
          if (i > 13) later_one_failed = true;
          if (i % 10 == 3) throw std::runtime_error(std::to_string(i));
        });
        FAIL() << "no exception";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "3") << count << " threads";
      }
    }
    std::atomic<int> done = 0;  // the pool is usable afterwards
    threads.run(10, [&](Index) { ++done; });
    EXPECT_EQ(done, 10);
  }
}

TEST(Threads, NestedCallsRunOnTheirOwnThread) {
  for (const int count : counts) {
    const Threads threads(count);
    std::vector<std::vector<int>> runs(8, std::vector<int>(50));  // no atomics: an inner loop is one thread
    std::atomic<int> strangers = 0;
    threads.run(8, [&](Index outer) {
      const std::thread::id here = std::this_thread::get_id();
      threads.run(50, [&](Index inner) {
        ++runs[outer][inner];
        strangers += std::this_thread::get_id() != here;
      });
    });
    for (const auto& row : runs) EXPECT_EQ(row, std::vector<int>(50, 1));
    EXPECT_EQ(strangers, 0);
  }
}

TEST(Threads, ExceptionsOfNestedCallsComeThrough) {
  const Threads threads(2);
  EXPECT_THROW(
      threads.run(4, [&](Index) { threads.run(3, [](Index) { throw std::domain_error("inner"); }); }),
      std::domain_error);
}

TEST(Threads, CopiesShareThePoolAndCallersTakeTurns) {
  const Threads threads(3), copy = threads;
  std::atomic<Index> total = 0;
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&, mine = c % 2 ? threads : copy] {
      for (int k = 0; k < 100; ++k) mine.run(9, [&](Index i) { total += i; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 4 * 100 * 36);
}

// Many tiny batches, plain writes to disjoint places read by the caller: what the thread sanitizer should
// see.
TEST(Threads, ManySmallRuns) {
  const Threads threads(4);
  std::vector<int> cells(5);
  for (int k = 0; k < 5000; ++k) {
    threads.run(5, [&](Index i) { ++cells[i]; });
    ASSERT_EQ(cells[k % 5], k + 1);
  }
  for (int k = 0; k < 50; ++k) {  // pools that live for a moment, some without a run
    const Threads brief(3);
    if (k % 2) brief.run(3, [&](Index i) { ++cells[i]; });
  }
  EXPECT_EQ(cells, (std::vector<int>{5025, 5025, 5025, 5000, 5000}));
}

TEST(Threads, CountMustBePositive) {
  EXPECT_THROW(Threads(0), std::invalid_argument);
  EXPECT_THROW(Threads(-3), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::threads_test
