#pragma once
#include <cmath>
#include <cstddef>

#include "host_device.hpp"

namespace bochner::scalar {

/// x'omega in one order, fused explicitly: the pullback must meet the same bits that fill met, or tan(b) blows the
/// difference up.
BOCHNER_HOST_DEVICE double angle(const double* x, const double* omega, std::ptrdiff_t dims) {
  double sum = x[0] * omega[0];
  for (std::ptrdiff_t d = 1; d < dims; ++d) sum = std::fma(x[d], omega[d], sum);
  return sum;
}

struct Wave {
  double cosine, sine;
};

/// c [cos a, sin a], and 2 c cos(b) [cos a, sin a] of a pair.
BOCHNER_HOST_DEVICE Wave wave(double a, double scale) { return {scale * std::cos(a), scale * std::sin(a)}; }
BOCHNER_HOST_DEVICE double pair_scale(double b, double amplitude) { return 2 * amplitude * std::cos(b); }

/// Adjoints of a, of b and c times that of c, from those of a wave: d(c cos a)/da = -c sin a is there already.
BOCHNER_HOST_DEVICE double angle_adjoint(Wave value, Wave adjoint) {
  return adjoint.sine * value.cosine - adjoint.cosine * value.sine;
}
BOCHNER_HOST_DEVICE double amplitude_adjoint(Wave value, Wave adjoint) {
  return adjoint.cosine * value.cosine + adjoint.sine * value.sine;
}
BOCHNER_HOST_DEVICE double half_adjoint(double amplitude_part, double b) {
  return -amplitude_part * std::sin(b) / std::cos(b);
}

}  // namespace bochner::scalar
