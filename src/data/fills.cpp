#include "bochner/data/fills.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/linalg/low_rank.hpp"

namespace bochner {

Matrix fill_column_means(MatrixIn Y) {
  const Vector mean = fit_scaling(Y, ScalingKind::centre).centre;
  Matrix filled = Y;
  for (Index n = 0; n < Y.rows(); ++n)
    for (Index m = 0; m < Y.cols(); ++m)
      if (std::isnan(Y(n, m))) filled(n, m) = mean(m);
  return filled;
}

namespace {

/// Mean squared differences of rows begin .. begin + size to all rows over the columns that both have; NaN where there are
/// none. `values` has zeros for missing entries, `has` a 1 for each other one. Products of matrices, because the pairs of rows
/// of a long table are many: (y - z)^2 = y^2 + z^2 - 2 y z, each under the masks of both.
Matrix mean_squared_differences(const Matrix& values, const Matrix& squares, const Matrix& has, Index begin,
                                Index size) {
  const auto rows = [&](const Matrix& A) { return A.middleRows(begin, size); };
  Matrix both = rows(squares) * has.transpose();
  both.noalias() += rows(has) * squares.transpose();
  const Matrix sum = both - 2 * rows(values) * values.transpose(), common = rows(has) * has.transpose();
  constexpr double rounding = 1e-12;  // rows that are equal stay tied
  const auto apart = sum.array() > rounding * both.array();
  return (common.array() > 0).select(apart.select(sum.array(), 0.0) / common.array(), std::nan(""));
}

}  // namespace

Matrix fill_neighbours(MatrixIn Y, Index k, const Compute& compute) {
  check_at_least("fill_neighbours", "k", k, 1);
  const Index N = Y.rows(), M = Y.cols();
  Matrix filled = fill_column_means(Y);
  const auto is_missing = Y.array().isNaN();
  const Matrix has = is_missing.select(0.0, Matrix::Ones(N, M));
  // Differences do not change when a column is shifted; squares lose fewer digits near zero.
  const Vector centre = fit_scaling(Y, ScalingKind::centre).centre;
  const Matrix values = is_missing.select(0.0, Y.rowwise() - centre.transpose()),
               squares = values.cwiseAbs2();
  constexpr Index block = 64;
  for_each_block(compute, N, block, [&](Index begin, Index size) {
    const Matrix distance = mean_squared_differences(values, squares, has, begin, size);
    std::vector<std::pair<double, Index>> near;  // (mean squared difference, row), nearest first
    for (Index n = begin; n < begin + size; ++n) {
      if (!is_missing.row(n).any()) continue;
      near.clear();
      for (Index r = 0; r < N; ++r)
        if (r != n && !std::isnan(distance(n - begin, r))) near.emplace_back(distance(n - begin, r), r);
      std::sort(near.begin(), near.end());
      for (Index m = 0; m < M; ++m) {
        if (!is_missing(n, m)) continue;
        double sum = 0;
        Index found = 0;
        for (std::size_t i = 0; i < near.size() && found < k; ++i) {
          const double donor = Y(near[i].second, m);
          if (std::isnan(donor)) continue;
          sum += donor;
          ++found;
        }
        if (found > 0) filled(n, m) = sum / static_cast<double>(found);
      }
    }
  });
  return filled;
}

namespace {

/// Leading right singular vectors V (M x rank) and the scores Z V of a table, the scores orthogonal to each
/// other.
struct Subspace {
  Matrix V, scores;
  Vector squared;  // rank: squared singular values
};

/// One step of orthogonal iteration, then the best basis within the subspace (Rayleigh-Ritz).
Subspace advance(MatrixIn Z, const Matrix& V, const Compute& compute) {
  const Matrix W = multiply_transposed<double>(Z, multiply<double>(Z, V, compute), compute);  // M x rank
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(W);
  const Matrix Q = qr.householderQ() * Eigen::MatrixXd::Identity(W.rows(), W.cols());
  const Matrix A = multiply<double>(Z, Q, compute);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> ritz(inner_gram<double>(A, compute));
  return {.V = Q * ritz.eigenvectors(), .scores = A * ritz.eigenvectors(), .squared = ritz.eigenvalues()};
}

/// What noise alone adds to a squared singular value of the N x M table, estimated from the part that the
/// `rank` leading ones leave over [josse2012]; 0 when nothing is left over to judge by.
double noise_floor(double residual, Index N, Index M, Index rank) {
  const double n = static_cast<double>(N), p = static_cast<double>(M), r = static_cast<double>(rank);
  const double freedom = (n - 1) * p - (n - 1) * r - p * r + r * r;
  if (freedom <= 0) return 0;
  return std::max(0.0, residual) / freedom * n * p / std::min(p, n - 1);
}

}  // namespace

Matrix fill_low_rank(MatrixIn Y, const LowRankFillOptions& options, Rng rng, const Compute& compute) {
  check_at_least("fill_low_rank", "rank", options.rank, 1);
  check_at_least("fill_low_rank", "max_iterations", options.max_iterations, 1);
  check_positive("fill_low_rank", "tolerance", options.tolerance);
  const Index N = Y.rows(), M = Y.cols(), rank = std::min({options.rank, N - 1, M});
  Matrix filled = fill_column_means(Y);
  std::vector<Index> missing;  // n M + m
  for (Index i = 0; i < filled.size(); ++i)
    if (std::isnan(Y(i / M, i % M))) missing.push_back(i);
  if (missing.empty() || rank < 1) return filled;

  Matrix V;
  for (Index iteration = 0; iteration < options.max_iterations; ++iteration) {
    const Vector mean = filled.colwise().mean();
    const Matrix Z = filled.rowwise() - mean.transpose();
    if (iteration == 0) V = randomized_svd(Z, rank, {}, rng, compute).V;
    const Subspace leading = advance(Z, V, compute);
    V = leading.V;
    const double floor = noise_floor(squared_norm<double>(Z, compute) - leading.squared.sum(), N, M, rank);
    Vector shrink = Vector::Zero(rank);
    for (Index r = 0; r < rank; ++r)
      if (leading.squared(r) > floor) shrink(r) = 1 - floor / leading.squared(r);
    const Matrix scores = leading.scores * shrink.asDiagonal();

    double change = 0, norm = 0;
    for (const Index i : missing) {
      const double deviation = scores.row(i / M).dot(V.row(i % M)), fill = mean(i % M) + deviation;
      change += std::pow(fill - filled.data()[i], 2);
      norm += deviation * deviation;
      filled.data()[i] = fill;
    }
    if (change <= options.tolerance * options.tolerance * norm) break;
  }
  return filled;
}

}  // namespace bochner
