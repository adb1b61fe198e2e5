#include "bochner/infer/running_variance.hpp"

#include "bochner/core/checks.hpp"

namespace bochner {

void RunningVariance::add(VectorIn x) {
  if (count == 0) {
    mean.setZero(x.size());
    sum_of_squares.setZero(x.size());
  }
  check_size("RunningVariance::add", "size of x", x.size(), "size of the values before", mean.size());
  ++count;
  const Vector delta = x - mean;
  mean += delta / double(count);
  sum_of_squares.array() += delta.array() * (x - mean).array();
}

Vector RunningVariance::variance() const {
  check_at_least("RunningVariance::variance", "count", count, 2);
  return sum_of_squares / double(count - 1);
}

}  // namespace bochner
