#include "bochner/priors/markov_path.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

namespace bochner::markov_path_test {
namespace {

/// k(r) of the process, from its formula.
double covariance(const PathPrior& prior, double s, double t) {
  const double r = std::abs(s - t) / prior.ell;
  switch (prior.kind) {
    case PathKind::matern12:
      return prior.variance * std::exp(-r);
    case PathKind::matern32:
      return prior.variance * (1 + std::sqrt(3.0) * r) * std::exp(-std::sqrt(3.0) * r);
    case PathKind::matern52:
      return prior.variance * (1 + std::sqrt(5.0) * r + 5 * r * r / 3) * std::exp(-std::sqrt(5.0) * r);
    case PathKind::random_walk:
      return prior.variance * (1 + (std::min(s, t) + 2) / prior.ell);  // the first time is -2
  }
  return 0;
}

const Vector times{{-2, -1.9, -1.2, 0.1, 0.11, 0.5, 2.2, 5}};
const Vector values{{0.3, 0.4, -0.6, 1.1, 1.12, 0.2, -0.7, 0.9}};

Matrix gram(const PathPrior& prior, const Vector& t) {
  Matrix K(t.size(), t.size());
  for (Index i = 0; i < t.size(); ++i)
    for (Index j = 0; j < t.size(); ++j) K(i, j) = covariance(prior, t(i), t(j));
  return K;
}

class MarkovPath : public testing::TestWithParam<PathKind> {
 protected:
  PathPrior prior{GetParam(), 0.8, 1.7};
  TimeGrid grid = make_time_grid(times);
  std::vector<PathStep> steps = path_steps(prior, grid);
  Matrix K = gram(prior, times) / prior.variance;  // in natural units
};

TEST_P(MarkovPath, DensityIsThatOfTheDenseGaussian) {
  const Eigen::LLT<Matrix> llt(K);
  const Vector x = values / std::sqrt(prior.variance), ones = Vector::Ones(x.size());
  const Matrix L = llt.matrixL();
  const double expected = -0.5 * (x.dot(llt.solve(x)) + 8 * log_2pi) - L.diagonal().array().log().sum();
  const PathDensity got = path_density(steps, x);
  EXPECT_NEAR(got.log_density, expected, 1e-8);
  EXPECT_NEAR(got.quadratic, x.dot(llt.solve(x)), 1e-8 * x.dot(llt.solve(x)));
  EXPECT_NEAR(got.ones, ones.dot(llt.solve(ones)), 1e-9);
  EXPECT_NEAR(got.cross, ones.dot(llt.solve(x)), 1e-9);
}

TEST_P(MarkovPath, DrawsHaveTheCovarianceOfTheKernel) {
  Rng rng(1);
  constexpr Index draws = 40000;
  Matrix sum = Matrix::Zero(8, 8), squares = sum;
  for (Index s = 0; s < draws; ++s) {
    const Vector x = draw_states(steps, rng).col(0);
    const Matrix outer = x * x.transpose();
    sum += outer;
    squares += outer.cwiseAbs2();
  }
  const Matrix mean = sum / double(draws), sd = (squares / double(draws) - mean.cwiseAbs2()).cwiseSqrt();
  EXPECT_LT(((mean - K).cwiseAbs().array() / sd.array()).maxCoeff() * std::sqrt(double(draws)), 4.5);
}

/// Filter and bridge know the same process: states drawn given x, then a piece redrawn given its neighbours, leave the law
/// of x, and of products with its neighbours, as it was.
TEST_P(MarkovPath, BridgesLeaveTheProcessInvariant) {
  Rng rng(2);
  constexpr Index draws = 40000;
  for (const auto& [begin, size] : {std::pair<Index, Index>{0, 3}, {2, 4}, {5, 3}, {0, 8}}) {
    Matrix sum = Matrix::Zero(8, 8), squares = sum;
    for (Index s = 0; s < draws; ++s) {
      const Vector x = draw_states(steps, rng).col(0);
      PathStates states = draw_states_given(steps, x, rng);
      const PathBridge bridge = draw_bridge(steps, states, grid, begin, size, rng);
      states.middleRows(begin, size) = bridge.mean + bridge.draw;
      const Matrix outer = states.col(0) * states.col(0).transpose();
      sum += outer;
      squares += outer.cwiseAbs2();
    }
    const Matrix mean = sum / double(draws), sd = (squares / double(draws) - mean.cwiseAbs2()).cwiseSqrt();
    EXPECT_LT(((mean - K).cwiseAbs().array() / sd.array()).maxCoeff() * std::sqrt(double(draws)), 4.5)
        << begin << " + " << size;
  }
}

TEST_P(MarkovPath, SmoothingIsThatOfTheDenseGaussian) {
  const double noise = 0.3;
  const Vector y = values / std::sqrt(prior.variance);
  const Matrix C = K + noise * Matrix::Identity(8, 8);
  const Eigen::LLT<Matrix> llt(C);
  const Matrix L = llt.matrixL();
  const SmoothedPath got = smooth_path(steps, y, noise);
  EXPECT_LT((got.mean - K * llt.solve(y)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_NEAR(got.log_density, -0.5 * (y.dot(llt.solve(y)) + 8 * log_2pi) - L.diagonal().array().log().sum(),
              1e-9);
}

TEST_P(MarkovPath, TinyStepsKeepTheirDigits) {
  // Steps of a ten-thousandth of the length-scale: Q has entries of 1e-20, which a difference of covariances would lose.
  const Vector t = Vector::LinSpaced(50, 0, 0.0049);
  const std::vector<PathStep> fine = path_steps({GetParam(), 1, 1}, make_time_grid(t));
  Rng rng(3);
  for (int s = 0; s < 20; ++s) {
    const Vector x = draw_states(fine, rng).col(0);
    const double quadratic = path_density(fine, x).quadratic;
    EXPECT_GT(quadratic, 50 - 6 * 10);
    EXPECT_LT(quadratic, 50 + 6 * 10);
    EXPECT_GT(quadratic, 10);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, MarkovPath,
                         testing::Values(PathKind::matern12, PathKind::matern32, PathKind::matern52,
                                         PathKind::random_walk));

TEST(TimeGrid, OrdersRowsByGroupAndTime) {
  const TimeGrid grid = make_time_grid(Vector{{3, 1, 2, 0.5}}, {0, 1, 0, 1});
  EXPECT_EQ(grid.order, (std::vector<Index>{2, 0, 3, 1}));
  EXPECT_EQ(grid.gap, (Vector{{0, 1, 0, 0.5}}));
}

TEST(TimeGrid, GroupsAreIndependent) {
  const TimeGrid grid = make_time_grid(Vector{{0, 1, 0, 1}}, {0, 0, 1, 1});
  const std::vector<PathStep> steps = path_steps({PathKind::matern32, 1, 1}, grid);
  const std::vector<PathStep> one(steps.begin(), steps.begin() + 2);
  const Vector x{{0.2, 0.4, -1, 0.3}};
  EXPECT_NEAR(path_density(steps, x).log_density,
              path_density(one, x.head(2)).log_density + path_density(one, x.tail(2)).log_density, 1e-12);
}

TEST(TimeGrid, GroupsAreSmoothedAlone) {
  const PathPrior prior{PathKind::matern32, 0.8, 1};
  const Vector t{{0, 0.5, 1, 0.2, 0.6}}, y{{1, 0.5, -1, 2, 1.5}};
  const SmoothedPath both = smooth_path(path_steps(prior, make_time_grid(t, {0, 0, 0, 1, 1})), y, 0.2);
  const SmoothedPath first = smooth_path(path_steps(prior, make_time_grid(t.head(3))), y.head(3), 0.2);
  const SmoothedPath second = smooth_path(path_steps(prior, make_time_grid(t.tail(2))), y.tail(2), 0.2);
  EXPECT_LT((both.mean.head(3) - first.mean).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LT((both.mean.tail(2) - second.mean).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(both.log_density, first.log_density + second.log_density, 1e-12);
}

TEST(TimeGrid, RefusesTheSameTimeTwice) {
  EXPECT_THROW(make_time_grid(Vector{{1, 2, 1}}), std::domain_error);
  EXPECT_NO_THROW(make_time_grid(Vector{{1, 2, 1}}, {0, 0, 1}));
}

}  // namespace
}  // namespace bochner::markov_path_test
