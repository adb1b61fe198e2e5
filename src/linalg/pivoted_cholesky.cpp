#include "bochner/linalg/pivoted_cholesky.hpp"

#include <algorithm>
#include <cmath>

#include "bochner/core/checks.hpp"

namespace bochner {

std::vector<Index> pivots(const Vector& diagonal, const std::function<Vector(Index)>& column, Index max_rank,
                          double tolerance) {
  check_at_least("pivots", "max_rank", max_rank, 1);
  check_non_negative("pivots", "tolerance", tolerance);
  const Index n = diagonal.size();
  const double enough = tolerance * diagonal.mean();
  Vector residual = diagonal;
  Eigen::MatrixXd L(n, std::min(max_rank, n));  // column-major: columns are added one by one
  std::vector<Index> chosen;
  for (Index r = 0; r < L.cols(); ++r) {
    Index pivot = 0;
    if (const double largest = residual.maxCoeff(&pivot); !(largest > enough) || !(largest > 0)) break;
    const double root = std::sqrt(residual(pivot));
    L.col(r) = column(pivot);
    L.col(r).noalias() -= L.leftCols(r) * L.row(pivot).head(r).transpose();
    L.col(r) /= root;
    residual -= L.col(r).cwiseAbs2();
    residual(pivot) = -1;  // rounding never brings a pivot back
    chosen.push_back(pivot);
  }
  return chosen;
}

}  // namespace bochner
