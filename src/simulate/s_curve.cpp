#include "bochner/simulate/s_curve.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"

namespace bochner {

Matrix s_curve_points(VectorIn t) {
  check_at_least("s_curve_points", "the number of positions", t.size(), 2);
  Matrix X(t.size(), 2);
  X.col(0) = t.array().sin();
  X.col(1) = t.array().sign() * (t.array().cos() - 1);
  for (Index q = 0; q < 2; ++q) {
    const double sd = std::sqrt((X.col(q).array() - X.col(q).mean()).square().mean());
    check_positive("s_curve_points", "the standard deviation of a coordinate", sd);
    X.col(q) /= sd;
  }
  return X;
}

SCurve s_curve(const Rng& rng, const SCurveOptions& options) {
  check_at_least("s_curve", "N", options.N, 2);
  Vector t = 3 * pi * (rng.split("s-curve").uniform(options.N).array() - 0.5);
  if (options.sorted) std::sort(t.begin(), t.end());
  return {s_curve_points(t), t};
}

}  // namespace bochner
