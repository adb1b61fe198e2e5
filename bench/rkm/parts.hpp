#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "bochner/core/threads.hpp"
#include "bochner/core/types.hpp"

namespace bochner::bench {

struct Settings {
  std::string data;    // folder of the public data sets
  std::string folder;  // where `components` finds or leaves its inputs; empty: nowhere
  std::vector<Index> sizes;
  Threads threads;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

void components(const Settings&);
void crossing(const Settings&);
void sines(const Settings&);
void laser(const Settings&);
void mfeat(const Settings&);

}  // namespace bochner::bench
