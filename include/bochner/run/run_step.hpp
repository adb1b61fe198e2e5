#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// Latents of a fit under way, for those who watch it.
struct LiveLatents {
  std::vector<std::string> ids;  // N
  Matrix mean;                   // N x Q
};

/// One step of a fit under way, for progress bars and logs.
struct RunStep {
  const char* what = "fit";         // a part of the work
  const char* objective = "bound";  // what `value` is
  Index step = 0, of = 0;           // `of` is the most there can be
  double value = 0;
  std::function<LiveLatents()> latents{};  // called now and then only; empty where there are none
};

}  // namespace bochner
