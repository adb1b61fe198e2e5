#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// Mean and variance of a stream of vectors, entry by entry, stable for any mean [welford1962].
struct RunningVariance {
  Index count = 0;
  Vector mean, sum_of_squares;  // D; empty before the first value

  void add(VectorIn x);
  Vector variance() const;  // D, unbiased; count >= 2
};

}  // namespace bochner
