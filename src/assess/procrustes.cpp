#include "bochner/assess/procrustes.hpp"

#include <Eigen/LU>
#include <Eigen/SVD>

#include "bochner/core/checks.hpp"

namespace bochner {

Matrix Procrustes::apply(MatrixIn Z) const {
  check_size("Procrustes::apply", "columns of Z", Z.cols(), "dimensions of the map", shift.size());
  return (scale * Z * rotation).rowwise() + shift.transpose();
}

Procrustes procrustes(MatrixIn Z, MatrixIn X, const ProcrustesOptions& options) {
  check_size("procrustes", "rows of Z", Z.rows(), "rows of X", X.rows());
  check_size("procrustes", "columns of Z", Z.cols(), "columns of X", X.cols());
  check_at_least("procrustes", "rows of Z", Z.rows(), 1);
  check_at_least("procrustes", "columns of Z", Z.cols(), 1);
  check_finite("procrustes", "Z", Z);
  check_finite("procrustes", "X", X);
  const Vector z_mean = Z.colwise().mean(), x_mean = X.colwise().mean();
  const Matrix Zc = Z.rowwise() - z_mean.transpose(), Xc = X.rowwise() - x_mean.transpose();
  const Eigen::MatrixXd cross = Zc.transpose() * Xc;  // Q x Q
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(cross, Eigen::ComputeFullU | Eigen::ComputeFullV);

  Vector sign = Vector::Ones(Z.cols());
  if (!options.reflection && (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0)
    sign(sign.size() - 1) = -1;  // turn the direction that matters least [kabsch1978]
  Procrustes map;
  map.rotation = svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
  const double spread = Zc.squaredNorm(), overlap = svd.singularValues().dot(sign);
  if (options.scaling && spread > 0 && overlap > 0) map.scale = overlap / spread;
  map.shift = x_mean - map.scale * map.rotation.transpose() * z_mean;
  return map;
}

}  // namespace bochner
