#include "bochner/simulate/gp_draw.hpp"

#include <utility>

#include "bochner/compute/cholesky.hpp"
#include "bochner/compute/products.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {

Matrix draw_gaussian_columns(Matrix K, Index M, const Rng& rng, const Compute& compute) {
  const Index N = K.rows();
  check_at_least("draw_gaussian_columns", "M", M, 0);
  check_size("draw_gaussian_columns", "columns of K", K.cols(), "rows of K", N);
  if (N == 0) return Matrix(0, M);
  K.diagonal().array() += 1e-8 * K.diagonal().mean();
  const CholeskyFactor factor =
      cholesky(std::move(K), {.what = "the Gram matrix of the functions to draw"}, compute);
  Matrix Z(N, M);
  for (Index m = 0; m < M; ++m) Z.col(m) = rng.split(static_cast<std::uint64_t>(m)).normal(N);
  return multiply<double>(factor.L, Z, compute);
}

Matrix draw_functions(const AnyKernel& kernel, MatrixIn X, Index M, const Rng& rng, const Compute& compute) {
  return draw_gaussian_columns(gram(kernel, X, compute), M, rng, compute);
}

}  // namespace bochner
