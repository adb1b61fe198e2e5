#include "bochner/assess/affine_r2.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/data/scaling.hpp"

namespace bochner {
namespace {

/// Standardised columns, exactly zero where a column does not vary.
Matrix standardised(MatrixIn X, const Scaling& scaling) {
  Matrix Z = scaling.apply(X);
  for (const Index m : scaling.constant) Z.col(m).setZero();
  return Z;
}

}  // namespace

AffineR2 affine_r2(MatrixIn latent, MatrixIn truth) {
  check_size("affine_r2", "rows of truth", truth.rows(), "rows of latent", latent.rows());
  check_at_least("affine_r2", "columns of latent", latent.cols(), 1);
  check_finite("affine_r2", "latent", latent);
  check_finite("affine_r2", "truth", truth);
  const Scaling of_latent = fit_scaling(latent, ScalingKind::standardise);
  const Scaling of_truth = fit_scaling(truth, ScalingKind::standardise);
  const Index P = truth.cols(), varying = P - static_cast<Index>(of_truth.constant.size());
  if (latent.rows() == 0 || varying == 0)
    throw InputError(
        "the true latent does not vary in any column, so nothing can be explained; check the file of true "
        "values");

  const Matrix L = standardised(latent, of_latent), T = standardised(truth, of_truth);
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> qr;
  qr.setThreshold(std::numeric_limits<double>::epsilon() * static_cast<double>(std::max(L.rows(), L.cols())));
  qr.compute(L);  // columns that others explain up to rounding do not count
  // Of a latent that does not vary nothing is explained, exactly; norms of T and of T - 0 may differ in the last bit.
  const bool collapsed = static_cast<Index>(of_latent.constant.size()) == latent.cols();
  const Matrix B = collapsed ? Matrix(Matrix::Zero(L.cols(), T.cols())) : Matrix(qr.solve(T));  // Q x P
  AffineR2 out;
  out.A = of_latent.scale.cwiseInverse().asDiagonal() * B * of_truth.scale.asDiagonal();
  out.b = of_truth.centre - out.A.transpose() * of_latent.centre;
  out.per_column = 1 - (T - L * B).colwise().squaredNorm().array() / T.colwise().squaredNorm().array();
  if (collapsed) out.per_column.setZero();
  for (const Index m : of_truth.constant) out.per_column(m) = 0;
  out.mean = out.per_column.sum() / static_cast<double>(varying);
  for (const Index m : of_truth.constant) out.per_column(m) = std::numeric_limits<double>::quiet_NaN();
  return out;
}

}  // namespace bochner
