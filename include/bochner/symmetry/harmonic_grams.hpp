#pragma once
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/symmetry/symmetry.hpp"

namespace bochner {

/// The harmonics of one kernel that are wanted at the same points: row h of `weights` makes
/// k_h(x, z) = sum_g weights(h, g) k(x, g z), as in kernels/harmonic.hpp. Each k(x, g z) is evaluated once for all of them.
struct Harmonics {
  const AnyKernel& kernel;
  const std::vector<Motion>& motions;  // G of them
  Matrix weights;                      // H x G
};

/// H matrices k_h(x_i, z_j), n x m.
std::vector<Matrix> harmonic_grams(const Harmonics& k, MatrixIn X, MatrixIn Z, const Compute& compute);

/// H symmetric matrices k_h(z_i, z_j), m x m.
std::vector<Matrix> harmonic_grams(const Harmonics& k, MatrixIn Z, const Compute& compute);

struct HarmonicsPullback {
  Vector dtheta;  // of the kernel
  Matrix dZ;      // m x D
  Matrix dX;      // n x D of the first, empty of the symmetric one
};

/// Adjoints of both, given dL/dK of each of the H matrices. For the symmetric ones dL_dK may be any matrices.
HarmonicsPullback harmonic_grams_pullback(const Harmonics& k, MatrixIn X, MatrixIn Z,
                                          const std::vector<Matrix>& dL_dK, const Compute& compute);
HarmonicsPullback harmonic_grams_pullback(const Harmonics& k, MatrixIn Z, const std::vector<Matrix>& dL_dK,
                                          const Compute& compute);

}  // namespace bochner
