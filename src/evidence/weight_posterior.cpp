#include <cmath>

#include "bochner/compute/products.hpp"
#include "feature_forms.hpp"

namespace bochner {

WeightPosterior weight_posterior(Matrix C, const Matrix& A, double y2, Index n, double sigma2, bool gradient,
                                 Precision precision, const Compute& compute) {
  const double F = double(C.rows()), M = double(A.cols()), N = double(n);
  C.diagonal().array() += sigma2;
  const CholeskyFactor factor = cholesky(std::move(C), {.what = "Phi'Phi + sigma2 I"}, compute);
  const Matrix C_inverse = inverse(factor, compute);
  WeightPosterior out;
  out.jitter = factor.jitter;
  double explained = 0;  // tr(A'B)
  if (precision == Precision::fine) {
    const Matrix P = solve_lower(factor, A, compute);  // L^-1 A, so tr(A'B) = |P|^2
    explained = squared_norm<double>(P, compute);
    out.B = solve_lower_transposed(factor, P, compute);
  } else {  // A itself is only as good as a float: one product instead of two solves
    out.B = multiply<double>(C_inverse, A, compute);
    explained = A.cwiseProduct(out.B).sum();
  }
  const double residual = y2 - explained;
  out.value = -0.5 * (N * M * log_2pi + M * ((N - F) * std::log(sigma2) + log_determinant(factor)) +
                      residual / sigma2);
  out.dsigma2 = -0.5 * (M * ((N - F) / sigma2 + C_inverse.trace()) - residual / (sigma2 * sigma2) +
                        out.B.squaredNorm() / sigma2);
  if (!gradient) return out;
  if (precision == Precision::fine) {
    out.G = M * C_inverse + outer_gram<double>(out.B, compute) / sigma2;
  } else {
    const MatrixT<float> B = out.B.cast<float>();
    out.G = M * C_inverse + outer_gram<float>(B, compute).cast<double>() / sigma2;
  }
  return out;
}

}  // namespace bochner
