#include "bochner/infer/stiefel.hpp"

#include <Eigen/QR>
#include <limits>
#include <sstream>

#include "bochner/compute/products.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {

double orthonormality_error(MatrixIn X, const Compute& compute) {
  const Matrix E = inner_gram<double>(X, compute) - Matrix::Identity(X.cols(), X.cols());  // p x p
  return E.size() == 0 ? 0.0 : E.cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
}

Matrix orthonormalize(MatrixIn A) {
  check_at_least("orthonormalize", "rows of A", A.rows(), A.cols());
  check_finite("orthonormalize", "A", A);
  const Eigen::HouseholderQR<Matrix> qr(A);
  const Vector d = qr.matrixQR().diagonal();  // p
  const double least =
      16 * std::numeric_limits<double>::epsilon() * double(A.rows()) * A.colwise().norm().maxCoeff();
  if (A.cols() > 0 && !(d.cwiseAbs().minCoeff() > least))
    throw NumericalError("orthonormalize: the columns of A are linearly dependent");
  Matrix Q = qr.householderQ() * Matrix::Identity(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    if (d(j) < 0) Q.col(j) = -Q.col(j);  // the factor with diag R > 0 is unique, and Haar for Gaussian A
  return Q;
}

Matrix polish_orthonormality(Matrix X, double tolerance, const Compute& compute) {
  double error = orthonormality_error(X, compute);
  if (!(error <= 0.5)) {
    std::ostringstream message;
    message << "polish_orthonormality: max |X'X - I| is " << error << ", too far from orthonormal to polish";
    throw NumericalError(message.str());
  }
  while (error > tolerance) {
    const Matrix S = inner_gram<double>(X, compute);  // p x p
    const Matrix next = 1.5 * X - 0.5 * multiply<double>(X, S, compute);
    const double next_error = orthonormality_error(next, compute);
    if (!(next_error < error)) break;  // rounding decides from here on
    X = next;
    error = next_error;
  }
  return X;
}

Matrix random_orthonormal(Index n, Index p, Rng& rng) {
  check_at_least("random_orthonormal", "p", p, 1);
  check_at_least("random_orthonormal", "n", n, p);
  return orthonormalize(rng.normal(n, p));
}

Matrix stiefel_gradient(MatrixIn X, MatrixIn G, const Compute& compute) {
  check_size("stiefel_gradient", "rows of G", G.rows(), "rows of X", X.rows());
  check_size("stiefel_gradient", "columns of G", G.cols(), "columns of X", X.cols());
  const Matrix S = multiply_transposed<double>(X, G, compute);  // p x p
  return G - multiply<double>(X, 0.5 * (S + S.transpose()), compute);
}

}  // namespace bochner
