#pragma once
#include <cmath>

#include "bochner/core/types.hpp"

namespace bochner::detail {

/// log(sum of exp x), without overflow.
inline double log_sum_exp(const Vector& x) {
  const double top = x.maxCoeff();
  return top + std::log((x.array() - top).exp().sum());
}

}  // namespace bochner::detail
