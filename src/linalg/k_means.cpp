#include "k_means.hpp"

#include <vector>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

constexpr Index rows_per_task = 256;

/// Each new centre is a row drawn with probability proportional to its squared distance from the nearest centre so far.
std::vector<Index> spread_rows(MatrixIn X, Index k, Rng& rng, const Compute& compute) {
  std::vector<Index> chosen{rng.below(X.rows())};
  Vector nearest = Vector::Constant(X.rows(), std::numeric_limits<double>::infinity());
  while (Index(chosen.size()) < k) {
    const auto centre = X.row(chosen.back());
    for_each_block(compute, X.rows(), rows_per_task, [&](Index begin, Index size) {
      for (Index n = begin; n < begin + size; ++n)
        nearest(n) = std::min(nearest(n), (X.row(n) - centre).squaredNorm());
    });
    if (!(nearest.maxCoeff() > 0)) break;  // every row is a centre
    chosen.push_back(rng.categorical(nearest));
  }
  return chosen;
}

}  // namespace

Matrix k_means(MatrixIn X, Index k, Rng rng, const Compute& compute, Index rounds) {
  check_at_least("k_means", "rows of X", X.rows(), 1);
  check_at_least("k_means", "k", k, 1);
  const std::vector<Index> chosen = spread_rows(X, k, rng, compute);
  k = Index(chosen.size());
  Matrix centres = X(chosen, Eigen::all);
  IndexVector nearest(X.rows());
  for (Index round = 0; round < rounds; ++round) {
    const Vector half_norms = 0.5 * centres.rowwise().squaredNorm();
    for_each_block(compute, X.rows(), rows_per_task, [&](Index begin, Index size) {
      // |x - c|^2 / 2 is least where x'c - |c|^2 / 2 is largest
      const Matrix closeness =
          (X.middleRows(begin, size) * centres.transpose()).rowwise() - half_norms.transpose();
      for (Index i = 0; i < size; ++i) closeness.row(i).maxCoeff(&nearest(begin + i));
    });
    Matrix sums = Matrix::Zero(k, X.cols());
    Vector counts = Vector::Zero(k);
    for (Index n = 0; n < X.rows(); ++n) {
      sums.row(nearest(n)) += X.row(n);
      counts(nearest(n)) += 1;
    }
    for (Index c = 0; c < k; ++c)
      if (counts(c) > 0) centres.row(c) = sums.row(c) / counts(c);
  }
  return centres;
}

}  // namespace bochner
