#include "inducing.hpp"

#include <algorithm>
#include <vector>

#include "bochner/linalg/pivoted_cholesky.hpp"

namespace bochner {

Matrix choose_inducing(const AnyKernel& kernel, MatrixIn X, Index count, double tolerance, Rng rng,
                       const Compute& compute) {
  constexpr Index most = 4000;
  const IndexVector order = rng.permutation(X.rows());
  const Matrix some = X(order.head(std::min(most, X.rows())), Eigen::all);
  // Beyond rounding the pivots mean nothing; the remaining points are any others.
  std::vector<Index> chosen = pivots(
      diagonal(kernel, some), [&](Index i) -> Vector { return gram(kernel, some, some.row(i), compute); },
      std::min(count, some.rows()), std::max(tolerance, 1e-8));
  if (tolerance == 0) {
    std::vector<bool> taken(static_cast<std::size_t>(some.rows()), false);
    for (const Index i : chosen) taken[static_cast<std::size_t>(i)] = true;
    for (Index i = 0; i < some.rows() && Index(chosen.size()) < count; ++i)
      if (!taken[static_cast<std::size_t>(i)]) chosen.push_back(i);
  }
  if (chosen.empty()) chosen.push_back(0);
  return some(chosen, Eigen::all);
}

}  // namespace bochner
