#include "bochner/likelihoods/heteroscedastic_noise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "bochner/likelihoods/gaussian_noise.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::heteroscedastic_noise_test {
namespace {

// scipy.integrate.quad of N(r; 0, v + exp(u)) N(u; m, s^2) over u.
TEST(HeteroscedasticNoise, PinnedScaleMixtures) {
  const double pins[][5] = {{1.2, 0.3, -0.7, 0.9, -1.7765865007666057},
                            {-14, 0, 0.4, 0.5, -19.577030566296127},
                            {40, 0.01, -2, 1.4, -22.25058942474255},
                            {0, 1e-6, -4, 2.5, 1.8537235084709294}};
  for (const auto& [r, v, m, s, expected] : pins)
    EXPECT_NEAR(log_scale_mixture(r, v, m, s), expected, 1e-10) << r;
}

TEST(HeteroscedasticNoise, TailsAndNarrowLogVariancesAreFinite) {
  for (const double r : {0.0, 1.0, 1e3, 1e8})
    for (const double v : {0.0, 1e-12, 1.0, 1e6})
      for (const double s : {0.0, 1e-9, 1e-3, 1.0, 30.0})
        EXPECT_TRUE(std::isfinite(log_scale_mixture(r, v, -3, s))) << r << " " << v << " " << s;
  // Continuous where the log variance becomes certain.
  EXPECT_NEAR(log_scale_mixture(2, 0.1, -0.5, 1e-7), log_scale_mixture(2, 0.1, -0.5, 0), 1e-10);
}

TEST(HeteroscedasticNoise, WithoutAmplitudeIsGaussianNoise) {
  const HeteroscedasticNoise l{.variance = Vector{{0.3, 2.0}}, .amplitude = Vector{{1e-12, 1e-12}}};
  const GaussianNoise constant{.variance = l.variance};
  const Matrix Y = Rng(1).normal(5, 2), mean = Rng(2).normal(5, 4), var = Rng(3).normal(5, 4).array().exp();
  const ExpectedLog e = l.expected_log(Y, mean, var),
                    c = constant.expected_log(Y, mean.leftCols(2), var.leftCols(2));
  EXPECT_LT((e.rows - c.rows).norm(), 1e-9);
  EXPECT_LT((e.dmean.leftCols(2) - c.dmean).norm(), 1e-9);
  EXPECT_LT((e.dvar.leftCols(2) - c.dvar).norm(), 1e-9);
  EXPECT_LT((e.dtheta.head(2) - c.dtheta).norm(), 1e-9);
  EXPECT_LT(
      (l.log_predictive(Y, mean, var) - constant.log_predictive(Y, mean.leftCols(2), var.leftCols(2))).norm(),
      1e-9);
}

// Variances that natural gradients divide by: never positive, whatever the residual.
TEST(HeteroscedasticNoise, DerivativesInTheVariancesAreNegative) {
  const HeteroscedasticNoise l{.variance = Vector{{0.3}}, .amplitude = Vector{{1.3}}};
  for (const double y : {0.0, 0.7, 50.0})
    for (const double g : {-5.0, 0.0, 5.0})
      EXPECT_LT(l.expected_log(Matrix{{y}}, Matrix{{0.7, g}}, Matrix{{0.2, 0.9}}).dvar.maxCoeff(), 0);
}

TEST(HeteroscedasticNoise, RefusesWrongParameters) {
  const HeteroscedasticNoise l{.variance = Vector{{0.3, 1.0}}, .amplitude = Vector{{1.0}}};
  EXPECT_THROW(l.check_outcomes(Matrix{{0.0, 1.0}}), std::invalid_argument);
  const HeteroscedasticNoise negative{.variance = Vector{{-0.3}}, .amplitude = Vector{{1.0}}};
  EXPECT_THROW(negative.check_outcomes(Matrix{{0.0}}), std::domain_error);
}

}  // namespace
}  // namespace bochner::heteroscedastic_noise_test
