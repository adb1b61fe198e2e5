#pragma once
#include <cmath>
#include <cstddef>

#include "host_device.hpp"

namespace bochner::scalar {

/// x'omega in one order, fused explicitly: the pullback must meet the same bits that fill met, or tan(b) blows the
/// difference up.
BOCHNER_HOST_DEVICE double angle(const double* x, const double* omega, std::ptrdiff_t stride,
                                 std::ptrdiff_t dims) {
  double sum = x[0] * omega[0];
  for (std::ptrdiff_t d = 1; d < dims; ++d) sum = fma(x[d], omega[d * stride], sum);
  return sum;
}

struct Wave {
  double cosine, sine;
};

/// c [cos a, sin a], and 2 c cos(b) [cos a, sin a] of a pair.
BOCHNER_HOST_DEVICE Wave unit_wave(double a) {
#ifdef __CUDA_ARCH__
  Wave out;
  sincos(a, &out.sine, &out.cosine);
  return out;
#else
  return {std::cos(a), std::sin(a)};
#endif
}
BOCHNER_HOST_DEVICE Wave wave(double a, double scale) {
  const Wave unit = unit_wave(a);
  return {scale * unit.cosine, scale * unit.sine};
}
BOCHNER_HOST_DEVICE double pair_scale(double b, double amplitude) {
  return 2 * amplitude * unit_wave(b).cosine;
}

/// Adjoints of a, of b and c times that of c, from those of a wave: d(c cos a)/da = -c sin a is there already.
BOCHNER_HOST_DEVICE double angle_adjoint(Wave value, Wave adjoint) {
  return adjoint.sine * value.cosine - adjoint.cosine * value.sine;
}
BOCHNER_HOST_DEVICE double amplitude_adjoint(Wave value, Wave adjoint) {
  return adjoint.cosine * value.cosine + adjoint.sine * value.sine;
}
BOCHNER_HOST_DEVICE double half_adjoint(double amplitude_part, double b) {
  const Wave unit = unit_wave(b);
  return -amplitude_part * unit.sine / unit.cosine;
}

}  // namespace bochner::scalar
