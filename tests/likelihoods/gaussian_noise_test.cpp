#include "bochner/likelihoods/gaussian_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace bochner::gaussian_noise_test {
namespace {

// scipy.stats.norm.logpdf(0.7, 0.2, 0.5) - v / (2 variance), and logpdf(0.7, 0.2, sqrt(0.25 + 0.09))
TEST(GaussianNoise, PinnedValues) {
  const GaussianNoise l{.variance = Vector{{0.25, 1.0}}};
  const Matrix Y{{0.7, std::nan("")}}, M{{0.2, 0.0}}, V{{0.09, 1.0}};
  EXPECT_NEAR(l.expected_log(Y, M, V).rows(0), -0.7257913526447274 - 0.18, 1e-15);
  EXPECT_NEAR(l.log_predictive(Y, M, V)(0, 0), -0.747180761342237, 1e-15);
  EXPECT_EQ(l.parameter_names(), (std::vector<std::string>{"log variance[1]", "log variance[2]"}));
}

// The gradient in theta vanishes where variance is the mean of the expected squares.
TEST(GaussianNoise, BestVarianceIsTheMeanSquare) {
  const Matrix Y{{1.0}, {-2.0}, {0.5}}, M{{0.5}, {-1.0}, {0.0}}, V{{0.1}, {0.2}, {0.0}};
  const double best = ((Y - M).squaredNorm() + V.sum()) / 3;
  EXPECT_NEAR((GaussianNoise{.variance = Vector::Constant(1, best)}.expected_log(Y, M, V).dtheta(0)), 0,
              1e-14);
}

TEST(GaussianNoise, RefusesNoNoise) {
  const Matrix A = Matrix::Zero(1, 2);
  EXPECT_THROW((GaussianNoise{.variance = Vector{{1, 0}}}.expected_log(A, A, A)), std::domain_error);
}

}  // namespace
}  // namespace bochner::gaussian_noise_test
