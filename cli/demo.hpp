#pragma once
#include "verb.hpp"

namespace bochner::cli {

struct DemoSettings {
  Index samples = 500, new_samples = 200;
  double noise = 0.2;  // standard deviation
  double holes = 0.1;  // fraction of the targets that is not measured
  Index steps = 60;    // of the optimiser, at most; it takes 15 to 20
};

Verb demo_verb();

}  // namespace bochner::cli
