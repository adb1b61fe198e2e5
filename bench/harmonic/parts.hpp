#pragma once
#include <chrono>
#include <string>
#include <vector>

#include "bochner/core/threads.hpp"
#include "bochner/core/types.hpp"

namespace bochner::bench {

struct Settings {
  std::string data;               // folder of the public data sets
  std::vector<std::string> sets;  // of `uci`; empty: all
  Index steps = 0;                // 0: the part's own
  Index splits = 3;               // of `uci`
  double minutes = 2;             // for each model of `elevation`
  std::string out;                // where pictures go; empty: nowhere
  Threads threads;
};

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

void steps(const Settings&);
void uci(const Settings&);
void nystrom(const Settings&);
void elevation(const Settings&);
void flips(const Settings&);
void shifts(const Settings&);
void snelson(const Settings&);

}  // namespace bochner::bench
