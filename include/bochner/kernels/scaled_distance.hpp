#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

// The scaled squared distance r2 = sum_d ((x_d - z_d) / ell_d)^2 that every stationary ARD kernel is a function of.

/// R2(i, j) for a block of rows X (n x D) against all of Z (m x D), summed over d in order: exact zeros for equal
/// rows, no cancellation as in |x|^2 + |z|^2 - 2 x'z.
void scaled_distance_block(VectorIn ell, MatrixIn X, MatrixIn Z, MatrixOut R2);

/// Given W = dL/dR2 (n x m), adds dL/dlog ell_d = -2 sum_ij W_ij ((x_id - z_jd)/ell_d)^2 to dlog_ell, and the adjoints
/// of X and Z: dL/dx_id = 2 sum_j W_ij (x_id - z_jd) / ell_d^2, dL/dz_jd = -2 sum_i W_ij (x_id - z_jd) / ell_d^2.
void pull_scaled_distance_block(VectorIn ell, MatrixIn X, MatrixIn Z, MatrixIn W, VectorOut dlog_ell, MatrixOut dX,
                                MatrixOut dZ);

}  // namespace bochner
