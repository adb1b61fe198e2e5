#include "bochner/assess/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "bochner/random/rng.hpp"

namespace bochner::neighbours_test {
namespace {

/// The slow twin: all distances, sorted by (distance, index). Distances are summed in the order of the
/// columns.
Neighbours slow_neighbours(const Matrix& reference, const Matrix& query, Index k, bool skip_self) {
  Neighbours out{.index = MatrixT<Index>(query.rows(), k), .distance = Matrix(query.rows(), k)};
  for (Index n = 0; n < query.rows(); ++n) {
    std::vector<std::pair<double, Index>> all;
    for (Index r = 0; r < reference.rows(); ++r) {
      double sum = 0;
      for (Index d = 0; d < query.cols(); ++d)
        sum += (reference(r, d) - query(n, d)) * (reference(r, d) - query(n, d));
      if (!(skip_self && r == n)) all.emplace_back(sum, r);
    }
    std::sort(all.begin(), all.end());
    for (Index j = 0; j < k; ++j) {
      out.index(n, j) = all[j].second;
      out.distance(n, j) = std::sqrt(all[j].first);
    }
  }
  return out;
}

void expect_same(const Neighbours& a, const Neighbours& b) {
  EXPECT_EQ(a.index, b.index);
  EXPECT_LE((a.distance - b.distance).cwiseAbs().maxCoeff(), 1e-14 * b.distance.maxCoeff());
}

Matrix lattice(Index rows, Index cols, Index values, Rng& rng) {
  Matrix X(rows, cols);
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = static_cast<double>(rng.below(values));
  return X;
}

TEST(Neighbours, EqualTheSlowTwin) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Rng rng(seed);
    const Index R = 1 + rng.below(150), N = 1 + rng.below(20), D = 1 + rng.below(14), k = 1 + rng.below(R);
    const Matrix reference = rng.normal(R, D), query = rng.normal(N, D);
    SCOPED_TRACE(seed);
    expect_same(nearest_neighbours(reference, query, k), slow_neighbours(reference, query, k, false));
    if (R > 1) {
      const Index others = std::min(k, R - 1);
      expect_same(nearest_others(reference, others), slow_neighbours(reference, reference, others, true));
    }
  }
}

// Few distinct values: nearly every distance is tied and many points coincide. Sums of small whole numbers
// are exact.
TEST(Neighbours, TiesGoToTheSmallerIndex) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    const Index R = 2 + rng.below(200), D = 1 + rng.below(13), k = 1 + rng.below(std::min<Index>(R - 1, 20));
    const Matrix X = lattice(R, D, 1 + rng.below(4), rng), query = lattice(25, D, 5, rng);
    SCOPED_TRACE(seed);
    expect_same(nearest_neighbours(X, query, k), slow_neighbours(X, query, k, false));
    expect_same(nearest_others(X, k), slow_neighbours(X, X, k, true));
  }
}

TEST(Neighbours, ACopyIsANeighbourAtDistanceZeroButOneselfIsNot) {
  Matrix X(3, 2);
  X << 1, 2, 5, 5, 1, 2;
  const Neighbours near = nearest_others(X, 1);
  EXPECT_EQ(near.index.col(0), (IndexVector{{2, 0, 0}}));
  EXPECT_EQ(near.distance(0, 0), 0);
  EXPECT_EQ(near.distance(1, 0), 5);
}

// Squares of these would overflow or vanish.
TEST(Neighbours, AnyScaleGivesTheSameNeighbours) {
  for (const Index D : {3, 12}) {
    Rng rng(3);
    const Matrix X = rng.normal(80, D);
    const Neighbours unit = nearest_others(X, 5);
    for (const int power : {-1000, -600, 600, 1000}) {
      const double size = std::ldexp(1.0, power);
      const Neighbours scaled = nearest_others(X * size, 5);
      EXPECT_EQ(scaled.index, unit.index) << power;
      EXPECT_EQ(scaled.distance, unit.distance * size) << power;
    }
  }
}

TEST(Neighbours, DoNotDependOnTheThreads) {
  for (const Index D : {2, 15}) {
    const Matrix X = Rng(4).normal(300, D);
    const Neighbours one = nearest_others(X, 7, Threads(1));
    for (const int threads : {2, 7}) {
      const Neighbours many = nearest_others(X, 7, Threads(threads));
      EXPECT_EQ(many.index, one.index);
      EXPECT_EQ(many.distance, one.distance);
    }
  }
}

TEST(Neighbours, BadArguments) {
  const Matrix X = Matrix::Zero(4, 2);
  EXPECT_THROW(nearest_neighbours(X, X, 0), std::invalid_argument);
  EXPECT_THROW(nearest_neighbours(X, X, 5), std::invalid_argument);
  EXPECT_THROW(nearest_others(X, 4), std::invalid_argument);
  EXPECT_THROW(nearest_neighbours(X, Matrix::Zero(1, 3), 1), std::invalid_argument);
  EXPECT_THROW(nearest_others(Matrix::Constant(4, 2, std::numeric_limits<double>::quiet_NaN()), 1),
               std::domain_error);
}

}  // namespace
}  // namespace bochner::neighbours_test
