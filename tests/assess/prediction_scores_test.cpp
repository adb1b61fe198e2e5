#include "bochner/assess/prediction_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/random/rng.hpp"
#include "tests/support/portable_uniform.hpp"

namespace bochner::prediction_scores_test {
namespace {

using testing::PortableUniform;
const double nan = std::numeric_limits<double>::quiet_NaN();

//     g = Lcg(4); T = 4 g.matrix(5, 3) - 2; mean = 4 g.matrix(5, 3) - 2; variance = 0.2 + 2 g.matrix(5, 3)
//     T[0, 1] = T[2, 0] = T[4, 2] = nan
struct Portable {
  Matrix truth, mean, variance;
  Portable() {
    PortableUniform g(4);
    truth = 4 * g.matrix(5, 3).array() - 2;
    mean = 4 * g.matrix(5, 3).array() - 2;
    variance = 0.2 + 2 * g.matrix(5, 3).array();
    truth(0, 1) = truth(2, 0) = truth(4, 2) = nan;
  }
};

// numpy; scipy.stats.norm.logpdf; properscoring.crps_gaussian
TEST(PredictionScores, EqualNumpyScipyAndProperscoring) {
  const Portable p;
  EXPECT_NEAR(rmse(p.truth, p.mean), 1.5475678489405, 1e-13);
  EXPECT_NEAR(mae(p.truth, p.mean), 1.2891442609434687, 1e-13);
  EXPECT_NEAR(log_predictive_density(p.truth, p.mean, p.variance), -2.4912131582273336, 1e-13);
  EXPECT_NEAR(crps(p.truth, p.mean, p.variance), 0.9997292662630216, 1e-13);
  EXPECT_DOUBLE_EQ(gaussian_coverage(p.truth, p.mean, p.variance, 0.5), 4.0 / 12);
  EXPECT_DOUBLE_EQ(gaussian_coverage(p.truth, p.mean, p.variance, 0.9), 7.0 / 12);
}

TEST(PredictionScores, WhatIsPredictedForUnknownEntriesDoesNotMatter) {
  Portable p;
  const double before = crps(p.truth, p.mean, p.variance);
  p.mean(0, 1) = nan;
  p.variance(2, 0) = -1;
  EXPECT_EQ(crps(p.truth, p.mean, p.variance), before);
}

TEST(PredictionScores, NothingKnownIsNan) {
  const Matrix unknown = Matrix::Constant(2, 2, nan), one = Matrix::Ones(2, 2);
  EXPECT_TRUE(std::isnan(rmse(unknown, one)));
  EXPECT_TRUE(std::isnan(mae(unknown, one)));
  EXPECT_TRUE(std::isnan(log_predictive_density(unknown, one, one)));
  EXPECT_TRUE(std::isnan(crps(unknown, one, one)));
  EXPECT_TRUE(std::isnan(interval_coverage(unknown, one, one)));
}

TEST(PredictionScores, IntervalsIncludeTheirEnds) {
  Matrix truth(1, 4), lower(1, 4), upper(1, 4);
  truth << 1, 2, 3, nan;
  lower << 1, 1, 4, 0;
  upper << 2, 2, 5, 0;
  EXPECT_DOUBLE_EQ(interval_coverage(truth, lower, upper), 2.0 / 3);
}

TEST(PredictionScores, LimitsOfCoverageAndCrps) {
  const Portable p;
  EXPECT_EQ(gaussian_coverage(p.truth, p.mean, p.variance, 1), 1);
  EXPECT_EQ(gaussian_coverage(p.truth, p.mean, p.variance, 0), 0);
  EXPECT_EQ(crps(p.truth, p.mean, Matrix::Zero(5, 3)), mae(p.truth, p.mean));
  EXPECT_NEAR(crps(p.truth, p.mean, Matrix::Constant(5, 3, 1e-12)), mae(p.truth, p.mean), 1e-6);
}

// Draws from the prediction itself: coverage is the level, E[log density] = -(log 2 pi e sigma2) / 2,
// E[crps] = sigma / sqrt(pi), each within four standard errors.
TEST(PredictionScores, CalibratedPredictions) {
  Rng rng(3);
  const Index N = 40000;
  const double sigma2 = 2.3;
  const Matrix mean = 3 * rng.normal(N, 2), truth = mean + std::sqrt(sigma2) * rng.normal(N, 2);
  const Matrix variance = Matrix::Constant(N, 2, sigma2);
  const double entries = 2.0 * N;
  for (const double level : {0.5, 0.9, 0.99})
    EXPECT_NEAR(gaussian_coverage(truth, mean, variance, level), level,
                4 * std::sqrt(level * (1 - level) / entries));
  EXPECT_NEAR(log_predictive_density(truth, mean, variance), -0.5 * (log_2pi + 1 + std::log(sigma2)),
              4 * std::sqrt(0.5 / entries));  // z^2 / 2 has variance 1/2
  Vector score(N);
  for (Index n = 0; n < N; ++n) score(n) = crps(truth.row(n), mean.row(n), variance.row(n));
  const double se = std::sqrt((score.array() - score.mean()).square().mean() / double(N));
  EXPECT_NEAR(score.mean(), std::sqrt(sigma2 / pi), 4 * se);
}

TEST(PredictionScores, BadPredictionsThrow) {
  const Matrix one = Matrix::Ones(2, 2), zero = Matrix::Zero(2, 2), bad = Matrix::Constant(2, 2, nan);
  EXPECT_THROW(rmse(one, bad), std::domain_error);
  EXPECT_THROW(mae(one, bad), std::domain_error);
  EXPECT_THROW(log_predictive_density(one, one, zero), std::domain_error);
  EXPECT_THROW(log_predictive_density(one, one, bad), std::domain_error);
  EXPECT_THROW(crps(one, one, -one), std::domain_error);
  EXPECT_THROW(interval_coverage(one, bad, one), std::domain_error);
  EXPECT_THROW(interval_coverage(one, one, zero), std::domain_error);  // lower above upper
  EXPECT_THROW(gaussian_coverage(one, one, one, 1.5), std::domain_error);
  EXPECT_THROW(rmse(one, Matrix::Ones(2, 3)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::prediction_scores_test
