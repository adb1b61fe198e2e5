#pragma once
#include <string>
#include <vector>

#include "bochner/compute/threads.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/core/types.hpp"

namespace bochner::bench {

struct Settings {
  std::string data;               // folder of the public data sets
  std::vector<std::string> sets;  // of `uci`, or parts of names of models of `shifts`; empty: all
  Index steps = 0;                // 0: the part's own
  double step_size = 0.02;
  Index splits = 3;    // of `uci`
  double minutes = 2;  // for each model of `elevation`
  std::string out;     // where pictures go; empty: nowhere
  Threads threads;
};

void steps(const Settings&);
void uci(const Settings&);
void nystrom(const Settings&);
void elevation(const Settings&);
void elevation5(const Settings&);
void flips(const Settings&);
void shifts(const Settings&);
void snelson(const Settings&);

}  // namespace bochner::bench
