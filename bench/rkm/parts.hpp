#pragma once
#include <string>
#include <vector>

#include "bochner/compute/threads.hpp"
#include "bochner/core/stopwatch.hpp"
#include "bochner/core/types.hpp"

namespace bochner::bench {

struct Settings {
  std::string data;    // folder of the public data sets
  std::string folder;  // where `components` finds or leaves its inputs; empty: nowhere
  std::vector<Index> sizes;
  Threads threads;
};

void components(const Settings&);
void crossing(const Settings&);
void sines(const Settings&);
void laser(const Settings&);
void mfeat(const Settings&);

}  // namespace bochner::bench
