#include <bit>
#include <cmath>

#include "bochner/compute/vector_math.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {
namespace {

/// Gamma(shape, 1) for shape >= 1: squeeze and accept [marsaglia2000]. At most 1.05 proposals per draw.
double gamma_from_one(double shape, Rng& rng) {
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  while (true) {
    const double z = rng.normal(), cube_root = 1 + c * z;
    if (cube_root <= 0) continue;
    const double v = cube_root * cube_root * cube_root, u = rng.uniform(), z2 = z * z;
    if (u < 1 - 0.0331 * z2 * z2) return d * v;
    if (std::log(u) < 0.5 * z2 + d * (1 - v + std::log(v))) return d * v;
  }
}

/// The first index whose running sum of weights passes u total; never one of weight zero.
Index pick(VectorIn weights, double total, double u) {
  double left = u * total;
  Index last = 0;
  for (Index i = 0; i < weights.size(); ++i) {
    if (weights(i) == 0) continue;
    left -= weights(i);
    if (left < 0) return i;
    last = i;  // rounding may leave a sliver beyond the last weight
  }
  return last;
}

}  // namespace

Index Rng::below(Index n) {
  check_at_least("Rng::below", "n", n, 1);
  const std::uint64_t limit = static_cast<std::uint64_t>(n);
  const std::uint64_t mask = std::bit_ceil(limit) - 1;
  while (true) {  // at most half of the draws are refused
    const std::uint64_t draw = bits() & mask;
    if (draw < limit) return static_cast<Index>(draw);
  }
}

double Rng::exponential() { return -std::log(uniform()); }

double Rng::log_gamma(double shape) {
  check_positive("Rng::log_gamma", "shape", shape);
  if (shape >= 1) return std::log(gamma_from_one(shape, *this));
  // Gamma(shape) = Gamma(shape + 1) U^(1 / shape) [marsaglia2000, Sec. 6]; the power underflows, its log does
  // not.
  const double power = std::log(uniform()) / shape;
  return std::log(gamma_from_one(shape + 1, *this)) + power;
}

double Rng::gamma(double shape) {
  check_positive("Rng::gamma", "shape", shape);
  return shape >= 1 ? gamma_from_one(shape, *this) : std::exp(log_gamma(shape));
}

double Rng::beta(double a, double b) {
  check_positive("Rng::beta", "a", a);
  check_positive("Rng::beta", "b", b);
  if (a >= 1 && b >= 1) {
    const double x = gamma_from_one(a, *this), y = gamma_from_one(b, *this);
    return x / (x + y);
  }
  const double log_x = log_gamma(a), log_y = log_gamma(b);  // both gammas may underflow: 0 / 0
  return 1 / (1 + std::exp(log_y - log_x));
}

double Rng::chi_squared(double degrees) {
  check_positive("Rng::chi_squared", "degrees", degrees);
  return 2 * gamma(degrees / 2);
}

Index Rng::categorical(VectorIn weights) {
  check_at_least("Rng::categorical", "number of weights", weights.size(), 1);
  check_non_negative("Rng::categorical", "the smallest weight", weights.minCoeff<Eigen::PropagateNaN>());
  const double total = weights.sum();
  check_positive("Rng::categorical", "the sum of weights", total);
  return pick(weights, total, uniform());
}

Index Rng::categorical_log(VectorIn log_weights) {
  check_at_least("Rng::categorical_log", "number of weights", log_weights.size(), 1);
  const double largest = log_weights.maxCoeff<Eigen::PropagateNaN>();
  check_finite("Rng::categorical_log", "the largest log weight", largest);
  Vector weights = log_weights.array() - largest;
  bochner::exp(weights.data(), weights.data(), weights.size());
  return pick(weights, weights.sum(), uniform());
}

IndexVector Rng::permutation(Index n) {
  check_at_least("Rng::permutation", "n", n, 0);
  IndexVector p(n);
  for (Index i = 0; i < n; ++i) {  // Fisher-Yates, growing
    const Index j = below(i + 1);
    p(i) = p(j);
    p(j) = i;
  }
  return p;
}

}  // namespace bochner
