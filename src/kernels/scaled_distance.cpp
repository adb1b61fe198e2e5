#include "bochner/kernels/scaled_distance.hpp"

namespace bochner {

void scaled_distance_block(VectorIn ell, MatrixIn X, MatrixIn Z, MatrixOut R2) {
  const Index D = ell.size();
  const Matrix U = (Z * ell.cwiseInverse().asDiagonal()).transpose();  // D x m, so that the inner loop is contiguous
  R2.setZero();
  for (Index i = 0; i < X.rows(); ++i)
    for (Index d = 0; d < D; ++d) R2.row(i).array() += (U.row(d).array() - X(i, d) / ell(d)).square();
}

void pull_scaled_distance_block(VectorIn ell, MatrixIn X, MatrixIn Z, MatrixIn W, VectorOut dlog_ell, MatrixOut dX,
                                MatrixOut dZ) {
  const Vector inverse = ell.cwiseInverse();
  const Matrix Ut = (Z * inverse.asDiagonal()).transpose();  // D x m
  Vector difference(Z.rows()), weighted(Z.rows());
  for (Index d = 0; d < ell.size(); ++d) {
    Vector dz = Vector::Zero(Z.rows());
    for (Index i = 0; i < X.rows(); ++i) {
      difference = X(i, d) * inverse(d) - Ut.row(d).transpose().array();  // u_id - u_jd
      weighted = W.row(i).transpose().cwiseProduct(difference);
      dlog_ell(d) -= 2 * weighted.dot(difference);
      dX(i, d) += 2 * inverse(d) * weighted.sum();
      dz -= 2 * inverse(d) * weighted;
    }
    dZ.col(d) += dz;
  }
}

}  // namespace bochner
