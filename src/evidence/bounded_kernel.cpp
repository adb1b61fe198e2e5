#include <cmath>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/evidence/bounded_evidence.hpp"

namespace bochner {

namespace {

/// I + W^1/2 K W^1/2 / sigma2, lower triangle.
Matrix weighted(MatrixIn K, const Vector& root, double sigma2, const Compute& compute) {
  Matrix B(K.rows(), K.cols());
  for_each_block(compute, K.rows(), 64, [&](Index begin, Index size) {
    B.middleRows(begin, size) =
        (root.segment(begin, size) / sigma2).asDiagonal() * K.middleRows(begin, size) * root.asDiagonal();
  });
  B.diagonal().array() += 1;
  return B;
}

}  // namespace

KernelEvidence bounded_kernel_evidence(MatrixIn K, FilledTable<double>& table, double sigma2, bool gradient,
                                       bool refill, const Compute& compute) {
  if (table.complete()) return kernel_evidence(K, table.observations(), sigma2, gradient, compute);
  check_positive("bounded_kernel_evidence", "sigma2", sigma2);
  check_size("bounded_kernel_evidence", "columns of K", K.cols(), "rows of K", K.rows());
  check_size("bounded_kernel_evidence", "rows of K", K.rows(), "rows of Y", table.rows());
  const Index N = K.rows();
  const double M = double(table.cols());

  Matrix noisy = K;
  noisy.diagonal().array() += sigma2;
  const CholeskyFactor factor = cholesky(std::move(noisy), {.what = "the Gram matrix plus noise"}, compute);
  const Matrix P = solve_lower(factor, table.compact(compute), compute);
  const Vector root = table.weight().array().sqrt();
  const CholeskyFactor shared =
      cholesky(weighted(K, root, sigma2, compute), {.what = "the weighted Gram matrix plus noise"}, compute);

  KernelEvidence out{.jitter = std::max(factor.jitter, shared.jitter)};
  out.value = -0.5 * (double(table.observed()) * (log_2pi + std::log(sigma2)) + M * log_determinant(shared) +
                      squared_norm<double>(P, compute));
  if (!gradient && !refill) return out;

  const bool is_table = table.rows() >= table.cols();  // the compact form is the table itself
  Matrix V;
  if (gradient || is_table) V = solve_lower_transposed(factor, P, compute);  // (K + sigma2 I)^-1 Y~, compact
  if (gradient) {
    // d/dK = 1/2 [ V V' - M W^1/2 B^-1 W^1/2 / sigma2 ],  d/dsigma2 log|B| = -(N - tr B^-1) / sigma2
    out.dL_dK = outer_gram<double>(V, compute);
    const Matrix inverse_B = inverse(shared, compute);
    for_each_block(compute, N, 64, [&](Index begin, Index size) {
      out.dL_dK.middleRows(begin, size) = 0.5 * (out.dL_dK.middleRows(begin, size) -
                                                 (M / sigma2 * root.segment(begin, size)).asDiagonal() *
                                                     inverse_B.middleRows(begin, size) * root.asDiagonal());
    });
    out.dsigma2 = -0.5 * ((double(table.observed()) - M * (double(N) - inverse_B.trace())) / sigma2 -
                          squared_norm<double>(V, compute));
  }
  if (refill) {  // E[f] = Y~ - sigma2 V
    if (!is_table) V = solve(factor, table.Y(), compute);
    for_each_block(compute, N, 64, [&](Index begin, Index size) {
      table.refill(begin, table.Y().middleRows(begin, size) - sigma2 * V.middleRows(begin, size));
    });
    table.refilled();
  }
  return out;
}

}  // namespace bochner
