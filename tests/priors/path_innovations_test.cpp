#include "bochner/priors/path_innovations.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace bochner::path_innovations_test {
namespace {

const Vector times{{0.4, 0, 1, 2, 0.7, 1.1}};
const std::vector<Index> groups{0, 0, 0, 0, 1, 1};

class PathInnovations : public testing::TestWithParam<PathKind> {
 protected:
  PathPrior prior{GetParam(), 0.8, 1};
  TimeGrid grid = make_time_grid(times, groups);
  std::vector<PathStep> steps = path_steps(prior, grid);
  Index N = grid.size(), p = state_size(prior.kind);

  /// x = T e, column by column.
  Matrix map() const {
    Matrix T(N, N * p);
    for (Index k = 0; k < N * p; ++k) {
      Matrix e = Matrix::Zero(N, p);
      e.data()[k] = 1;
      T.col(k) = states_of(steps, e).col(0);
    }
    return T;
  }
};

TEST_P(PathInnovations, InvertEachOther) {
  Rng rng(3);
  const Matrix e = rng.normal(N, p);
  EXPECT_LT((innovations_of(steps, states_of(steps, e)) - e).norm(), 1e-10);
  const PathStates states = draw_states(steps, rng);
  EXPECT_LT((states_of(steps, innovations_of(steps, states)) - states).norm(), 1e-12);
}

TEST_P(PathInnovations, GiveTheCovarianceOfTheProcess) {
  const Matrix T = map(), K = T * T.transpose();
  const double root = GetParam() == PathKind::matern32 ? std::sqrt(3.0) : std::sqrt(5.0);
  for (Index i = 0; i < N; ++i)
    for (Index k = 0; k < N; ++k) {
      const auto a = static_cast<std::size_t>(grid.order[static_cast<std::size_t>(i)]),
                 b = static_cast<std::size_t>(grid.order[static_cast<std::size_t>(k)]);
      const double s = times(Index(a)), t = times(Index(b)), r = std::abs(s - t) / prior.ell;
      double expected = 0;
      if (groups[a] == groups[b]) switch (GetParam()) {
          case PathKind::matern12:
            expected = std::exp(-r);
            break;
          case PathKind::matern32:
            expected = (1 + root * r) * std::exp(-root * r);
            break;
          case PathKind::matern52:
            expected = (1 + root * r + 5 * r * r / 3) * std::exp(-root * r);
            break;
          case PathKind::random_walk:
            expected = 1 + (std::min(s, t) - (groups[a] == 0 ? 0 : 0.7)) / prior.ell;
        }
      EXPECT_NEAR(K(i, k), expected, 1e-10);
    }
}

TEST_P(PathInnovations, PullIsTheTranspose) {
  Rng rng(4);
  const Vector g = rng.normal(N);
  const Matrix pulled = pull_innovations(steps, g);
  const Vector expected = map().transpose() * g;
  EXPECT_LT((Eigen::Map<const Vector>(pulled.data(), N * p) - expected).norm(), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PathInnovations,
                         testing::Values(PathKind::matern12, PathKind::matern32, PathKind::matern52,
                                         PathKind::random_walk));

}  // namespace
}  // namespace bochner::path_innovations_test
