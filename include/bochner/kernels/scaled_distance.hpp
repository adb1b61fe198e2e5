#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

// The scaled squared distance r2 = sum_d ((x_d - z_d) / ell_d)^2 that every stationary ARD kernel is a function of.
// Differences are squared and summed as they stand: exact zeros for equal rows, no cancellation as in
// |x|^2 + |z|^2 - 2 x'z. Of many columns the latter is many times faster, as a product of matrices; distances that
// cancellation would spoil are then summed anew.

/// One row of X against all of Z at a time, so that what a kernel makes of a row of r2 stays in the nearest cache.
/// Holds Z / ell transposed, D x m, for contiguous inner loops.
class ScaledDistance {
 public:
  ScaledDistance(VectorIn ell, MatrixIn Z);

  /// The same for a known block of rows X, which rows of many columns gain from.
  ScaledDistance(VectorIn ell, MatrixIn X, MatrixIn Z);

  /// r2(j), m entries, for x = a row of X (D contiguous numbers).
  void row(const double* x, double* r2) const;
  void row(Index i, double* r2) const;  // the row i of X

  /// Given w(j) = dL/dr2(j) for the row x, adds dL/dx to dx and collects the adjoints of ell and Z.
  void pull_row(const double* x, const double* w, double* dx);

  /// The same for the row i of X; its adjoint is left for finish.
  void pull_row(Index i, const double* w);

  /// Adds what pull_row collected:
  ///   dL/dlog ell_d = -2 sum_ij W_ij ((x_id - z_jd) / ell_d)^2,  dL/dz_jd = -2 sum_i W_ij (x_id - z_jd) / ell_d^2.
  void finish(VectorOut dlog_ell, MatrixOut dZ) const;
  void finish(VectorOut dlog_ell, MatrixOut dX, MatrixOut dZ) const;  // of rows pulled by their number

 private:
  bool wide() const { return A_.size() > 0; }

  Vector inverse_;  // D, 1 / ell
  Matrix U_;        // D x m, z_jd / ell_d
  Matrix dU_;       // D x m, sum_i w_ij (x_id - z_jd) / ell_d; made by the first pull_row
  Vector squares_;  // D, sum_ij w_ij ((x_id - z_jd) / ell_d)^2
  // of a known block of rows
  Matrix X_, dX_;  // few columns: the rows and their adjoints
  Matrix A_;       // many columns: n x D, x_id / ell_d
  Matrix R2_, W_;  // n x m
};

/// R2(i, j) for a block of rows X (n x D) against all of Z (m x D).
void scaled_distance_block(VectorIn ell, MatrixIn X, MatrixIn Z, MatrixOut R2);

/// Given W = dL/dR2 (n x m), adds the adjoints of log ell, X and Z; dL/dx_id = 2 sum_j W_ij (x_id - z_jd) / ell_d^2.
void pull_scaled_distance_block(VectorIn ell, MatrixIn X, MatrixIn Z, MatrixIn W, VectorOut dlog_ell,
                                MatrixOut dX, MatrixOut dZ);

}  // namespace bochner
