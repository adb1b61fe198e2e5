#include "bochner/assess/trustworthiness.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/assess/neighbours.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

/// sum_i sum_{j in near(i)} max(0, r(i, j) - k), ranks by distance in X, then by index. Counting how many
/// points lie nearer than j costs less than sorting them all. Whole numbers, so the order of the sum does not
/// matter.
Index rank_excess(MatrixIn X, const MatrixT<Index>& near, const Compute& compute) {
  const Index N = X.rows(), k = near.cols();
  IndexVector excess = IndexVector::Zero(N);
  const Index block = 16;
  for_each_block(compute, N, block, [&](Index begin, Index size) {
    Vector d(N);  // squared distances from i
    for (Index i = begin; i < begin + size; ++i) {
      for (Index l = 0; l < N; ++l) d(l) = (X.row(l) - X.row(i)).squaredNorm();
      for (Index c = 0; c < k; ++c) {
        const Index j = near(i, c);
        Index rank = 1;
        for (Index l = 0; l < N; ++l) rank += l != i && (d(l) < d(j) || (d(l) == d(j) && l < j));
        excess(i) += std::max<Index>(0, rank - k);
      }
    }
  });
  return excess.sum();
}

double trust(const char* function, MatrixIn X, MatrixIn Z, Index k, const Compute& compute) {
  check_size(function, "rows of Z", Z.rows(), "rows of X", X.rows());
  check_at_least(function, "k", k, 1);
  check_at_least(function, "number of rows", X.rows(), 2 * k + 1);
  check_finite(function, "X", X);
  check_finite(function, "Z", Z);
  // A power of two for the unit: squares neither overflow nor vanish, and no comparison changes.
  const double size = X.size() ? X.cwiseAbs().maxCoeff() : 0;
  const Matrix scaled =
      size > 0 ? Matrix(X / std::ldexp(1.0, std::clamp(std::ilogb(size), -1000, 1000))) : Matrix(X);
  const double excess =
      static_cast<double>(rank_excess(scaled, nearest_others(Z, k, compute).index, compute));
  const double N = static_cast<double>(X.rows()), K = static_cast<double>(k);
  return 1 - 2 / (N * K * (2 * N - 3 * K - 1)) * excess;
}

}  // namespace

double trustworthiness(MatrixIn X, MatrixIn Z, Index k, const Compute& compute) {
  return trust("trustworthiness", X, Z, k, compute);
}

double continuity(MatrixIn X, MatrixIn Z, Index k, const Compute& compute) {
  return trust("continuity", Z, X, k, compute);
}

}  // namespace bochner
