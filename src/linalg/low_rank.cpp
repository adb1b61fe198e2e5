#include "bochner/linalg/low_rank.hpp"

#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

Matrix orthonormal_columns(const Matrix& A) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(A);
  return qr.householderQ() * Eigen::MatrixXd::Identity(A.rows(), std::min(A.rows(), A.cols()));
}

}  // namespace

LowRankSvd randomized_svd(MatrixIn A, Index rank, const LowRankOptions& options, Rng rng,
                          const Compute& compute) {
  check_at_least("randomized_svd", "rank", rank, 1);
  const Index least = std::min(A.rows(), A.cols());
  check_at_least("randomized_svd", "the smaller side of A", least, 1);
  rank = std::min(rank, least);
  const Index width = std::min(least, rank + options.oversampling);
  Matrix Q = orthonormal_columns(multiply<double>(A, rng.normal(A.cols(), width), compute));  // n x width
  for (Index i = 0; i < options.power_iterations; ++i) {
    const Matrix P = orthonormal_columns(multiply_transposed<double>(A, Q, compute));  // m x width
    Q = orthonormal_columns(multiply<double>(A, P, compute));
  }
  const Matrix B = multiply_transposed<double>(Q, A, compute);  // width x m
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::HouseholderQRPreconditioner> svd(
      B.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {.U = Q * svd.matrixV().leftCols(rank),
          .values = svd.singularValues().head(rank),
          .V = svd.matrixU().leftCols(rank)};
}

Matrix randomized_psd_factor(MatrixIn A, Index rank, const LowRankOptions& options, Rng rng,
                             const Compute& compute) {
  check_size("randomized_psd_factor", "columns of A", A.cols(), "rows of A", A.rows());
  check_at_least("randomized_psd_factor", "rank", rank, 1);
  const Index n = A.rows();
  rank = std::min(rank, n);
  const Index width = std::min(n, rank + options.oversampling);
  Matrix Q = orthonormal_columns(rng.normal(n, width));
  for (Index i = 0; i < options.power_iterations; ++i)
    Q = orthonormal_columns(multiply<double>(A, Q, compute));
  // A <= (A + shift)Q [Q'(A + shift)Q]^-1 Q'(A + shift): the shift keeps the small factorisation positive definite
  Matrix Y = multiply<double>(A, Q, compute);
  const double shift = std::sqrt(double(n)) * std::numeric_limits<double>::epsilon() * Y.norm();
  if (shift == 0) return Matrix::Zero(n, rank);
  Y += shift * Q;
  Matrix core = multiply_transposed<double>(Q, Y, compute);
  core = (0.5 * (core + core.transpose())).eval();
  const CholeskyFactor factor = cholesky(core, {.what = "the sketch of the low-rank factor"}, compute);
  const Matrix E = solve_lower(factor, Y.transpose(), compute).transpose();  // n x width, E E' = Nystrom
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::HouseholderQRPreconditioner> svd(E, Eigen::ComputeThinU);
  const Vector values = (svd.singularValues().head(rank).array().square() - shift).max(0.0).sqrt();
  return svd.matrixU().leftCols(rank) * values.asDiagonal();
}

}  // namespace bochner
