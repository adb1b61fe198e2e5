#include "left_out.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bochner {

LeftOut left_out(const GaussianNoise& noise, const LatentMarginals& at, VectorIn residual, MatrixIn Y) {
  constexpr double most = 0.99;
  const Index P = noise.outputs();
  LeftOut out{at, Y};
  for (Index n = 0; n < Y.rows(); ++n)
    for (Index o = 0; o < P; ++o) {
      if (std::isnan(Y(n, o))) continue;
      const double weight = Y.cols() > P ? Y(n, P) : 1, u = std::max(0.0, at.variance(n, o) - residual(n)),
                   r = weight * u / noise.variance(o);
      if (r > most) {
        out.Y(n, o) = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      out.f.mean(n, o) = (at.mean(n, o) - r * Y(n, o)) / (1 - r);
      out.f.variance(n, o) = u / (1 - r) + residual(n);
    }
  return out;
}

}  // namespace bochner
