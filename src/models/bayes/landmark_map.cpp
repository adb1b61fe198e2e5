#include "landmark_map.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bochner/compute/row_plan.hpp"
#include "bochner/linalg/low_rank.hpp"

namespace bochner {

namespace {

constexpr Index most_landmarks = 500, neighbour = 7;

std::vector<Index> choose(Index N, Rng& rng) {
  std::vector<Index> rows(static_cast<std::size_t>(N));
  std::iota(rows.begin(), rows.end(), Index{0});
  const Index m = std::min(N, most_landmarks);
  for (Index i = 0; i < m; ++i)
    std::swap(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(i + rng.below(N - i))]);
  rows.resize(static_cast<std::size_t>(m));
  return rows;
}

/// Distance of each row to the seventh nearest landmark beside itself.
Vector scales(const Matrix& squares) {
  Vector out(squares.rows());
  std::vector<double> row(static_cast<std::size_t>(squares.cols()));
  const auto at = row.begin() + std::min<std::ptrdiff_t>(neighbour, squares.cols() - 1);
  for (Index n = 0; n < squares.rows(); ++n) {
    std::copy_n(squares.row(n).data(), squares.cols(), row.begin());
    std::nth_element(row.begin(), at, row.end());
    out(n) = std::sqrt(std::max(*at, 1e-300));
  }
  return out;
}

}  // namespace

Matrix landmark_map(MatrixIn Y, Index Q, Rng rng, const Compute& compute) {
  const std::vector<Index> chosen = choose(Y.rows(), rng);
  const Matrix landmarks = Y(chosen, Eigen::all);
  Matrix A(Y.rows(), landmarks.rows());  // squared distances, then affinities
  for_each_block(compute, Y.rows(), 64, [&](Index begin, Index size) {
    for (Index n = begin; n < begin + size; ++n)
      A.row(n) = (landmarks.rowwise() - Y.row(n)).rowwise().squaredNorm().transpose();
  });
  const Vector scale = scales(A), of_landmarks = scale(chosen);
  for (Index n = 0; n < A.rows(); ++n)
    A.row(n) = (-A.row(n).array() / (scale(n) * of_landmarks.transpose().array())).exp();
  const Vector rows = A.rowwise().sum().cwiseMax(1e-300),
               columns = A.colwise().sum().transpose().cwiseMax(1e-300);
  A = rows.cwiseSqrt().cwiseInverse().asDiagonal() * A * columns.cwiseSqrt().cwiseInverse().asDiagonal();
  const LowRankSvd svd = randomized_svd(A, Q + 1, {.power_iterations = 4}, rng.split("range"), compute);
  Matrix out = rng.normal(Y.rows(), Q);  // more dimensions than landmarks
  for (Index q = 0; q < std::min(Q, svd.U.cols() - 1); ++q)
    out.col(q) = rows.cwiseSqrt().cwiseInverse().cwiseProduct(svd.U.col(q + 1));
  return out;
}

}  // namespace bochner
