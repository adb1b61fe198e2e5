#include "bochner/models/latent/isomap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "bochner/compute/products.hpp"
#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/linalg/eigenpairs.hpp"

namespace bochner {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Euclidean distances between the rows of A and of B.
Matrix distances(MatrixIn A, MatrixIn B, const Compute& compute) {
  Matrix D = multiply<double>(A, B.transpose(), compute);
  const Vector a = A.rowwise().squaredNorm(), b = B.rowwise().squaredNorm();
  for_each_block(compute, D.rows(), 64, [&](Index begin, Index size) {
    for (Index i = begin; i < begin + size; ++i)
      D.row(i) = (a(i) - 2 * D.row(i).array() + b.transpose().array()).max(0.0).sqrt();
  });
  return D;
}

/// The k smallest entries of a row, smallest first, ties by column.
std::vector<Index> nearest(const Eigen::Ref<const Eigen::RowVectorXd>& row, Index k) {
  std::vector<Index> order(static_cast<std::size_t>(row.size()));
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + k, order.end(),
                    [&](Index a, Index b) { return row(a) != row(b) ? row(a) < row(b) : a < b; });
  order.resize(static_cast<std::size_t>(k));
  return order;
}

/// The graph of near rows: distances where either is among the k nearest of the other, infinite elsewhere.
Matrix near_graph(const Matrix& D, Index k, const Compute& compute) {
  const Index L = D.rows();
  std::vector<std::vector<Index>> near(static_cast<std::size_t>(L));
  for_each_block(compute, L, 16, [&](Index begin, Index size) {
    for (Index i = begin; i < begin + size; ++i) near[static_cast<std::size_t>(i)] = nearest(D.row(i), k + 1);
  });
  Matrix G = Matrix::Constant(L, L, infinity);
  for (Index i = 0; i < L; ++i)
    for (const Index j : near[static_cast<std::size_t>(i)]) G(i, j) = G(j, i) = D(i, j);
  G.diagonal().setZero();
  return G;
}

/// Joins the parts of the graph, one edge at a time between the closest rows of the part of row 0 and the rest.
void join_parts(Matrix& G, const Matrix& D) {
  const Index L = G.rows();
  std::vector<bool> reached(static_cast<std::size_t>(L), false);
  std::vector<Index> open{0};
  reached[0] = true;
  for (Index count = 1;;) {
    while (!open.empty()) {
      const Index i = open.back();
      open.pop_back();
      for (Index j = 0; j < L; ++j)
        if (!reached[static_cast<std::size_t>(j)] && G(i, j) < infinity) {
          reached[static_cast<std::size_t>(j)] = true;
          open.push_back(j);
          ++count;
        }
    }
    if (count == L) return;
    Index from = 0, to = 0;
    double shortest = infinity;
    for (Index i = 0; i < L; ++i)
      for (Index j = 0; j < L; ++j)
        if (reached[static_cast<std::size_t>(i)] && !reached[static_cast<std::size_t>(j)] &&
            D(i, j) < shortest) {
          shortest = D(i, j);
          from = i;
          to = j;
        }
    G(from, to) = G(to, from) = shortest;
    reached[static_cast<std::size_t>(to)] = true;
    open.push_back(to);
    ++count;
  }
}

/// Floyd and Warshall: all shortest paths, row blocks in parallel.
void shortest_paths(Matrix& G, const Compute& compute) {
  const Index L = G.rows();
  for (Index k = 0; k < L; ++k)
    for_each_block(compute, L, 128, [&](Index begin, Index size) {
      for (Index i = begin; i < begin + size; ++i)
        if (i != k) G.row(i) = G.row(i).cwiseMin((G.row(k).array() + G(i, k)).matrix());
    });
}

}  // namespace

Matrix isomap(MatrixIn Y, const IsomapOptions& options, Rng rng, const Compute& compute) {
  check_at_least("isomap", "dims", options.dims, 1);
  check_at_least("isomap", "landmarks", options.landmarks, options.dims + 1);
  check_at_least("isomap", "rows of Y", Y.rows(), options.dims + 1);
  check_between("isomap", "neighbours", options.neighbours, 0, 1);
  check_finite("isomap", "Y", Y);
  const Index N = Y.rows(), L = std::min(options.landmarks, N), Q = options.dims;
  IndexVector chosen = rng.permutation(N).head(L);
  std::sort(chosen.begin(), chosen.end());
  const Matrix landmarks = Y(chosen, Eigen::all);
  const Index near_count =
      std::clamp<Index>(Index(std::round(options.neighbours * double(L))), std::min<Index>(5, L), L);
  const Index k = std::min(near_count, L - 1);  // a landmark is not its own neighbour

  const Matrix D = distances(landmarks, landmarks, compute);
  Matrix G = near_graph(D, k, compute);
  join_parts(G, D);
  shortest_paths(G, compute);

  // Classical scaling: -1/2 J G^2 J = X X'.
  const Matrix squared = G.cwiseAbs2();
  const Vector mean = squared.rowwise().mean();
  Matrix B = -0.5 * (squared.colwise() - mean);
  B.rowwise() += 0.5 * (mean.array() - mean.mean()).matrix().transpose();
  B = 0.5 * (B + B.transpose().eval());
  const Eigenpairs top = top_eigenpairs(B, Q, {.tolerance = 1e-8}, compute);
  // Dimensions that the data do not have are zero for all rows: what is left of their eigenvalues is rounding.
  const double least = 1e-10 * std::max(top.values(0), 0.0);
  const Vector root =
      top.values.unaryExpr([&](double value) { return value > least ? std::sqrt(value) : 0.0; });
  Matrix X(N, Q);
  X(chosen, Eigen::all) = top.vectors * root.asDiagonal();
  if (L == N) return X;

  // Distance-based triangulation: x = -1/2 pinv(X_L) (d^2 - mean d^2), d through the nearest landmarks.
  const Matrix pinv = top.vectors * root.unaryExpr([](double r) { return r > 0 ? 1 / r : 0.0; }).asDiagonal();
  for_each_block(compute, N, 64, [&](Index begin, Index size) {
    const Matrix near = distances(Y.middleRows(begin, size), landmarks, Threads(1));
    for (Index i = 0; i < size; ++i) {
      Eigen::RowVectorXd d = Eigen::RowVectorXd::Constant(L, infinity);
      for (const Index l : nearest(near.row(i), near_count))
        d = d.cwiseMin((G.row(l).array() + near(i, l)).matrix());
      X.row(begin + i) = -0.5 * (d.cwiseAbs2() - mean.transpose()) * pinv;
    }
  });
  X(chosen, Eigen::all) = top.vectors * root.asDiagonal();
  return X;
}

}  // namespace bochner
