#pragma once
#include <cstdint>

#include "bochner/core/types.hpp"

namespace bochner::testing {

/// Park and Miller's generator, x <- 48271 x mod (2^31 - 1): three lines in any language, so numbers computed
/// elsewhere (scikit-learn, ArviZ, scipy) start from the very same tables. Not for statistics.
///
///     class Lcg:
///         def __init__(self, seed): self.x = seed
///         def u(self): self.x = 48271 * self.x % 2147483647; return self.x / 2147483647
///         def matrix(self, n, m): return np.array([[self.u() for _ in range(m)] for _ in range(n)])
class PortableUniform {
 public:
  explicit PortableUniform(std::uint64_t seed) : x_(seed) {}
  double next() {
    x_ = 48271 * x_ % 2147483647;
    return static_cast<double>(x_) / 2147483647;
  }
  Matrix matrix(Index rows, Index cols) {
    Matrix out(rows, cols);
    for (Index i = 0; i < out.size(); ++i) out.data()[i] = next();
    return out;
  }

 private:
  std::uint64_t x_;
};

}  // namespace bochner::testing
