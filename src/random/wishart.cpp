#include "bochner/random/wishart.hpp"

#include <Eigen/Cholesky>
#include <cmath>
#include <stdexcept>
#include <string>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {
namespace {

void check_arguments(const char* function, const char* name, double degrees, MatrixIn scale) {
  const std::string columns = std::string("columns of ") + name, rows = std::string("rows of ") + name;
  check_at_least(function, rows.c_str(), scale.rows(), 1);
  check_size(function, columns.c_str(), scale.cols(), rows.c_str(), scale.rows());
  check_finite(function, name, scale);
  check_positive(function, "degrees minus the dimension plus one", degrees - double(scale.rows()) + 1);
}

/// Not that of compute/: nothing is added to the diagonal of a scale that is not positive definite, it is refused.
Matrix cholesky(const char* function, MatrixIn scale) {
  const Eigen::LLT<Matrix> llt(scale);
  if (llt.info() != Eigen::Success)
    throw std::domain_error(std::string(function) + ": scale is not positive definite");
  return llt.matrixL();
}

void check_factor(const char* function, MatrixIn L) {
  check_positive(function, "the diagonal of L", Vector(L.diagonal()));
}

/// sqrt of a chi-squared draw, in log space: the draw underflows for tiny degrees before its root does.
double chi(double degrees, Rng& rng) { return std::exp(0.5 * (std::log(2.0) + rng.log_gamma(degrees / 2))); }

/// Bartlett's decomposition [bartlett1933]: lower-triangular A with A A' ~ Wishart(degrees, I). A_ij ~ N(0,
/// 1) below the diagonal, A_ii^2 ~ chi^2(degrees - i), i = 0 .. D-1.
Matrix bartlett(double degrees, Index D, Rng& rng) {
  Matrix A = Matrix::Zero(D, D);
  for (Index i = 0; i < D; ++i) {
    for (Index j = 0; j < i; ++j) A(i, j) = rng.normal();
    A(i, i) = chi(degrees - double(i), rng);
  }
  return A;
}

Matrix square(const Matrix& C) {  // C C', symmetric to the last bit
  Matrix product = Matrix::Zero(C.rows(), C.rows());
  product.selfadjointView<Eigen::Lower>().rankUpdate(C);
  return product.selfadjointView<Eigen::Lower>();
}

}  // namespace

Matrix wishart_factor(double degrees, MatrixIn L, Rng& rng) {
  check_arguments("wishart_factor", "L", degrees, L);
  check_factor("wishart_factor", L);
  return L.triangularView<Eigen::Lower>() * bartlett(degrees, L.rows(), rng);
}

Matrix inverse_wishart_factor(double degrees, MatrixIn L, Rng& rng) {
  check_arguments("inverse_wishart_factor", "L", degrees, L);
  check_factor("inverse_wishart_factor", L);
  // Reversing rows and columns of A gives an upper-triangular U with U U' ~ Wishart(degrees, I) as well. Then
  // Sigma^-1 = L^-T U U' L^-1, so Sigma = C C' with C = L U^-T, which is lower-triangular.
  const Matrix U = bartlett(degrees, L.rows(), rng).reverse();
  if (!(U.diagonal().array() > 0).all())
    throw NumericalError(
        "inverse_wishart_factor: a draw overflowed, because degrees is too close to the dimension minus one");
  const Matrix lower = L.triangularView<Eigen::Lower>();
  Matrix C = U.triangularView<Eigen::Upper>().solve(lower.transpose()).transpose();
  return C.triangularView<Eigen::Lower>();
}

Matrix wishart(double degrees, MatrixIn scale, Rng& rng) {
  check_arguments("wishart", "scale", degrees, scale);
  return square(wishart_factor(degrees, cholesky("wishart", scale), rng));
}

Matrix inverse_wishart(double degrees, MatrixIn scale, Rng& rng) {
  check_arguments("inverse_wishart", "scale", degrees, scale);
  return square(inverse_wishart_factor(degrees, cholesky("inverse_wishart", scale), rng));
}

Vector multivariate_normal(VectorIn mean, MatrixIn L, Rng& rng) {
  check_size("multivariate_normal", "rows of L", L.rows(), "length of mean", mean.size());
  check_size("multivariate_normal", "columns of L", L.cols(), "length of mean", mean.size());
  return mean + L.triangularView<Eigen::Lower>() * rng.normal(mean.size());
}

}  // namespace bochner
