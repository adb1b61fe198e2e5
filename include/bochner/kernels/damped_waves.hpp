#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

// The term that every spectral-mixture kernel is a sum of, for points x_i (n) against points z_j (m):
//
//   t(x, z) = exp(-q / 2) (c(x) c(z) + s(x) s(z)),   q = |u|^2 - 2 rho u'v + |v|^2,   -1 <= rho <= 1,
//
// where u and v are the inputs scaled by the spectral standard deviations, and (c, s) is a wave:
// (cos mu'x, sin mu'x), so that c c + s s is the cosine of a difference and trigonometry costs O(n + m), or
// a sum of two such waves. The exponent is computed as the sum of squares
// (1 - |rho|) (|u|^2 + |v|^2) + |rho| |u - sign(rho) v|^2: no overflow and no cancellation however large the
// inputs are.

/// What one component knows about a set of points; the same struct carries adjoints. Columns beyond n are
/// zero and fill up a multiple of `lanes`, the number of points handled at a time: the same on every
/// processor, and so is the order of every sum.
struct Waves {
  static constexpr Index lanes = 8;
  Index n = 0;  // number of points
  Matrix U;     // D x (n rounded up): one row per input dimension
  Vector c, s;  // n rounded up

  static Waves zero(Index n, Index D);
};

/// u = sd o (x - origin), (c, s) = (cos, sin) of mu'(x - origin).
Waves waves(VectorIn sd, VectorIn mu, MatrixIn X, VectorIn origin);

/// K(i, j) += weight t(x_i, z_j).
void add_damped_waves(double weight, double rho, const Waves& x, const Waves& z, MatrixOut K);

/// Adjoints of weight and rho.
struct DampedWavesAdjoint {
  double dlog_weight = 0;
  double drho = 0;
};

/// Given dL/dK, adds dL/du, dL/dc, dL/ds of both sides to dx and dz and returns the rest. Only row sums,
/// column sums and products with D columns of dL/dK o exp(-q/2) and dL/dK o t are needed, never a matrix per
/// parameter.
DampedWavesAdjoint pull_damped_waves(double weight, double rho, const Waves& x, const Waves& z,
                                     MatrixIn dL_dK, Waves& dx, Waves& dz);

/// The same for pairs (x_i, z_i) instead of all combinations: weight t(x_i, z_i), n long. dx and dz may be
/// one object.
Vector damped_wave_pairs(double weight, double rho, const Waves& x, const Waves& z);
DampedWavesAdjoint pull_damped_wave_pairs(double weight, double rho, const Waves& x, const Waves& z,
                                          VectorIn dL_dt, Waves& dx, Waves& dz);

/// Adds the adjoints of waves(sd, mu, X, origin): w is its value, dw the adjoint of that. The origin counts
/// as fixed.
void pull_waves(VectorIn sd, VectorIn mu, MatrixIn X, VectorIn origin, const Waves& w, const Waves& dw,
                VectorOut dlog_sd, VectorOut dmu, MatrixOut dX);

}  // namespace bochner
