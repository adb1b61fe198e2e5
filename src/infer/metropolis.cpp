#include "bochner/infer/metropolis.hpp"

#include <cmath>

namespace bochner {

bool metropolis_accept(double log_ratio, Rng& rng) {
  return std::log(rng.uniform()) < log_ratio;  // false for NaN
}

}  // namespace bochner
