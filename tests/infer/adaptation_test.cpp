#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "bochner/infer/dual_averaging.hpp"
#include "bochner/infer/running_variance.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::adaptation_test {
namespace {

TEST(DualAveraging, FirstUpdatesByHand) {
  // [hoffman2014, Alg. 5] with t0 = 10, gamma = 0.2, kappa = 0.75, worked out on paper from step 0.5.
  DualAveraging d = DualAveraging::at(0.5);
  EXPECT_DOUBLE_EQ(d.mu, std::log(0.5));
  d.update(0.2, 0.8);
  double error = 0.6 / 11;
  EXPECT_NEAR(d.error_mean, error, 1e-15);
  const double first = std::log(0.5) - 5 * error;
  EXPECT_NEAR(d.log_step, first, 1e-14);
  EXPECT_NEAR(d.log_mean, first, 1e-14);
  d.update(1.0, 0.8);
  error = (1 - 1.0 / 12) * error - 0.2 / 12;
  const double second = std::log(0.5) - std::sqrt(2.0) * 5 * error;
  EXPECT_NEAR(d.log_step, second, 1e-14);
  const double weight = std::pow(2.0, -0.75);
  EXPECT_NEAR(d.log_mean, weight * second + (1 - weight) * first, 1e-14);
}

TEST(DualAveraging, FindsTheStepWhoseAcceptanceIsTheTarget) {
  // Acceptance exp(-step), observed with noise: the target 0.44 is met at step = -log 0.44.
  Rng rng(1);
  DualAveraging d = DualAveraging::at(0.01);
  for (int i = 0; i < 50'000; ++i) d.update(std::exp(-std::exp(d.log_step)) + 0.1 * rng.normal(), 0.44);
  EXPECT_NEAR(std::exp(-std::exp(d.log_mean)), 0.44, 0.01);
}

TEST(DualAveraging, NanCountsAsRejection) {
  DualAveraging nan = DualAveraging::at(1.0), zero = nan;
  nan.update(std::numeric_limits<double>::quiet_NaN(), 0.8);
  zero.update(0.0, 0.8);
  EXPECT_EQ(nan.log_step, zero.log_step);
}

TEST(RunningVariance, AgreesWithTwoPassesAtALargeOffset) {
  const Matrix X = Rng(2).normal(50, 3).array() + 1e8;
  RunningVariance r;
  for (Index i = 0; i < 50; ++i) r.add(X.row(i).transpose());
  for (Index d = 0; d < 3; ++d) {
    const double mean = X.col(d).mean();
    EXPECT_NEAR(r.mean(d), mean, 1e-7);
    EXPECT_NEAR(r.variance()(d), (X.col(d).array() - mean).square().sum() / 49, 1e-6);
  }
  EXPECT_THROW(RunningVariance{}.variance(), std::invalid_argument);
  EXPECT_THROW(r.add(Vector::Ones(2)), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::adaptation_test
