#include "bochner/assess/loo.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "bochner/assess/psis.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::loo_test {
namespace {

/// The numbers that ArviZ 0.23 was given for the values below: four chains of 100 draws, six measurements.
Matrix example() {
  Matrix out(400, 6);
  for (Index s = 0; s < 400; ++s)
    for (Index i = 0; i < 6; ++i) {
      const double u = (double((s * 37 + i * 101) % 401) + 0.5) / 402, t = -std::log(u);
      out(s, i) = -0.5 - 0.3 * double(i) - (0.15 + 0.22 * double(i)) * t + 0.01 * std::sin(double(s + i));
    }
  return out;
}

TEST(Loo, IsThatOfArviz) {
  const Loo one = loo(example(), 1, Threads(2));
  EXPECT_NEAR(one.elpd_loo, -15.277598871046514, 1e-9);
  EXPECT_NEAR(one.se, 3.535599946427283, 1e-9);
  EXPECT_NEAR(one.p_loo, 4.736326808797196, 1e-9);
  EXPECT_NEAR(one.good_k, 0.6156891065798796, 1e-12);
  const double k[6] = {0.21854285280880423, 0.3846058423590101, 0.5599255977540941,
                       0.7285772805658217,  0.9096317124301585, 1.0847406288509411};
  for (Index i = 0; i < 6; ++i) EXPECT_NEAR(one.pareto_k(i), k[i], 1e-9) << i;
  EXPECT_NEAR(one.elpd_i(5), -4.880264266168166, 1e-9);
  EXPECT_EQ(one.bad, 3);
  EXPECT_EQ(one.very_bad, 1);
  EXPECT_TRUE(one.warning());
  const Loo less = loo(example(), 0.4, Threads(1));
  EXPECT_NEAR(less.elpd_loo, -15.350447723935062, 1e-9);
  EXPECT_NEAR(less.se, 3.567084972936307, 1e-9);
  EXPECT_NEAR(less.pareto_k(3), 0.7629983357809366, 1e-9);
}

TEST(Waic, IsThatOfArviz) {
  const Waic w = waic(example(), Threads(1));
  EXPECT_NEAR(w.elpd_waic, -14.285790683433195, 1e-9);
  EXPECT_NEAR(w.se, 3.097282293653485, 1e-9);
  EXPECT_NEAR(w.p_waic, 3.744518621183877, 1e-9);
  EXPECT_TRUE(w.warning());
}

/// y ~ N(theta, 1) with a flat prior: leaving y_i out has a closed form.
TEST(Loo, IsCloseToLeavingOutInAModelWithAClosedForm) {
  constexpr Index n = 20, S = 4000;
  Rng rng(1);
  const Vector y = rng.normal(n, 1).col(0);
  const Vector theta = y.mean() + rng.normal(S, 1).col(0).array() / std::sqrt(double(n));
  Matrix log_likelihood(S, n);
  double exact = 0, lppd = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index s = 0; s < S; ++s) log_likelihood(s, i) = -0.5 * (log_2pi + std::pow(y(i) - theta(s), 2));
    const double mean = (y.sum() - y(i)) / double(n - 1), variance = 1 + 1 / double(n - 1);
    lppd +=
        -0.5 * (log_2pi + std::log(1 + 1 / double(n)) + std::pow(y(i) - y.mean(), 2) / (1 + 1 / double(n)));
    exact += -0.5 * (log_2pi + std::log(variance) + std::pow(y(i) - mean, 2) / variance);
  }
  const Loo l = loo(log_likelihood, 1, Threads(1));
  EXPECT_NEAR(l.elpd_loo, exact, 0.05);
  EXPECT_NEAR(waic(log_likelihood, Threads(1)).elpd_waic, exact, 0.1);
  EXPECT_NEAR(l.p_loo, lppd - exact, 0.05);
  EXPECT_FALSE(l.warning());
}

TEST(Loo, DoesNotDependOnThreads) {
  const Loo one = loo(example(), 1, Threads(1)), three = loo(example(), 1, Threads(3));
  EXPECT_EQ(one.elpd_loo, three.elpd_loo);
  EXPECT_EQ(one.pareto_k, three.pareto_k);
}

TEST(Psis, WeightsSumToOneAndTakeConstants) {
  const ParetoSmoothed p = psis(example().col(4), 1);
  EXPECT_NEAR(p.log_weights.array().exp().sum(), 1, 1e-12);
  const ParetoSmoothed same = psis(Vector::Constant(50, -3.0), 1);  // nothing is in the tail
  EXPECT_NEAR(same.log_weights(7), -std::log(50.0), 1e-12);
  EXPECT_TRUE(std::isinf(same.pareto_k));
}

TEST(Loo, RefusesWhatIsNoLogLikelihood) {
  EXPECT_THROW(loo(Matrix(1, 3), 1, Threads(1)), std::exception);
  EXPECT_THROW(loo(Matrix::Constant(10, 2, std::nan("")), 1, Threads(1)), std::domain_error);
  EXPECT_THROW(loo(example(), 0, Threads(1)), std::domain_error);
  EXPECT_THROW(waic(Matrix(10, 0), Threads(1)), std::exception);
}

}  // namespace
}  // namespace bochner::loo_test
