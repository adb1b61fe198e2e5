#include "bochner/infer/elliptical_slice.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "batch_means.hpp"
#include "bochner/core/errors.hpp"

namespace bochner::elliptical_slice_test {
namespace {

using testing::expect_moments;

constexpr double inf = std::numeric_limits<double>::infinity();

/// Correlated Gaussian prior in three dimensions, with a mean.
struct Prior {
  Vector mean{{0.5, -1.0, 2.0}};
  Matrix Sigma{{1.0, 0.6, -0.3}, {0.6, 2.0, 0.4}, {-0.3, 0.4, 0.7}};
  Matrix L = Eigen::LLT<Matrix>(Sigma).matrixL();

  Vector centred_draw(Rng& rng) const { return L * rng.normal(3); }
};

TEST(EllipticalSlice, GaussianPosteriorHasItsExactMoments) {
  // y = H x + noise: posterior covariance (Sigma^-1 + H'H / s2)^-1, mean from the normal equations.
  const Prior prior;
  const Matrix H{{1.0, 0.5, 0.0}, {-0.4, 1.0, 0.8}};
  const Vector y{{2.5, 0.5}};
  const double s2 = 0.4;
  const Matrix precision = prior.Sigma.inverse() + H.transpose() * H / s2;
  const Matrix covariance = precision.inverse();
  const Vector mean = covariance * (prior.Sigma.inverse() * prior.mean + H.transpose() * y / s2);

  const auto log_likelihood = [&](const Vector& f) { return -0.5 * (y - H * f).squaredNorm() / s2; };
  Rng rng(1);
  Vector f = prior.mean;
  double value = log_likelihood(f);
  const Index draws = 60'000;
  Matrix chain(draws, 3);
  Index shrinks = 0;
  for (Index i = 0; i < draws; ++i) {
    const auto move = elliptical_slice(log_likelihood, f, value, prior.centred_draw(rng), prior.mean, rng);
    EXPECT_TRUE(move.moved);
    EXPECT_EQ(move.log_likelihood, log_likelihood(move.f));
    f = move.f;
    value = move.log_likelihood;
    shrinks += move.shrinks;
    chain.row(i) = f.transpose();
  }
  expect_moments(chain, mean, covariance, 0.02, "posterior");
  EXPECT_GT(shrinks, draws / 2);  // the likelihood matters
  EXPECT_LT(shrinks, 6 * draws);
}

TEST(EllipticalSlice, FlatLikelihoodSamplesThePriorWithoutRejection) {
  const Prior prior;
  Rng rng(2);
  Vector f = Vector::Zero(3);
  Matrix chain(20'000, 3);
  for (Index i = 0; i < chain.rows(); ++i) {
    const auto move =
        elliptical_slice([](const Vector&) { return 5.0; }, f, 5.0, prior.centred_draw(rng), rng);
    EXPECT_EQ(move.shrinks, 0);
    f = move.f;
    chain.row(i) = f.transpose();
  }
  expect_moments(chain, Vector::Zero(3), prior.Sigma, 0.05, "prior");
}

TEST(EllipticalSlice, GewekeJointTestWithPoissonCounts) {
  // x ~ prior, y_d | x ~ Poisson(exp(x_d)). Alternating a draw of y given x with a move of x given y leaves
  // the joint distribution invariant, so that x keeps the moments of its prior [geweke2004].
  const Vector mean{{0.2, -0.3}};
  const Matrix Sigma{{0.5, 0.3}, {0.3, 0.8}};
  const Matrix L = Eigen::LLT<Matrix>(Sigma).matrixL();
  const auto poisson = [](double rate, Rng& rng) {  // by counting exponential waiting times
    Index k = 0;
    for (double t = rng.exponential(); t < rate; t += rng.exponential()) ++k;
    return double(k);
  };
  Rng rng(3);
  Vector x = mean + L * rng.normal(2), y(2);
  Matrix chain(120'000, 2);
  for (Index i = 0; i < chain.rows(); ++i) {
    for (Index d = 0; d < 2; ++d) y(d) = poisson(std::exp(x(d)), rng);
    const auto log_likelihood = [&](const Vector& at) { return y.dot(at) - at.array().exp().sum(); };
    x = elliptical_slice(log_likelihood, x, log_likelihood(x), L * rng.normal(2), mean, rng).f;
    chain.row(i) = x.transpose();
  }
  expect_moments(chain, mean, Sigma, 0.02, "joint");
}

TEST(EllipticalSlice, TruncationByMinusInfinityNanAndErrorsIsRespected) {
  // N(0, 1) cut to x > 0.5: mean phi(0.5) / (1 - Phi(0.5)) = 1.1410777703680648.
  Rng rng(4);
  for (const int how : {0, 1, 2}) {
    const auto log_likelihood = [&](const Vector& f) {
      if (f(0) > 0.5) return 0.0;
      if (how == 2) throw NumericalError("not here");
      return how == 0 ? -inf : std::numeric_limits<double>::quiet_NaN();
    };
    Vector f = Vector::Ones(1);
    Vector chain(40'000);
    Index not_finite = 0;
    for (Index i = 0; i < chain.size(); ++i) {
      const auto move = elliptical_slice(log_likelihood, f, 0.0, rng.normal(1), rng);
      EXPECT_EQ(move.not_finite, move.shrinks);
      not_finite += move.not_finite;
      f = move.f;
      ASSERT_GT(f(0), 0.5);
      chain(i) = f(0);
    }
    EXPECT_GT(not_finite, 0);
    testing::expect_mean(chain, 1.1410777703680648, 0.01, "truncated normal");
  }
}

TEST(EllipticalSlice, GivesUpAfterABoundedNumberOfShrinks) {
  Rng rng(5);
  const Vector f{{1.0, 2.0}};
  const auto spike = [&](const Vector& at) { return at == f ? 0.0 : -inf; };
  const auto move = elliptical_slice(spike, f, 0.0, Vector::Ones(2), rng, {.max_shrinks = 12});
  EXPECT_FALSE(move.moved);
  EXPECT_EQ(move.shrinks, 12);
  EXPECT_EQ(move.f, f);
  EXPECT_EQ(move.log_likelihood, 0.0);
}

TEST(EllipticalSlice, RefusesAStartWithoutALikelihood) {
  Rng rng(6);
  const auto flat = [](const Vector&) { return 0.0; };
  for (const double bad : {-inf, inf, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(elliptical_slice(flat, Vector::Ones(2), bad, Vector::Ones(2), rng), NumericalError);
  EXPECT_THROW(elliptical_slice(flat, Vector::Ones(2), 0.0, Vector::Ones(3), rng), std::invalid_argument);
  EXPECT_THROW(elliptical_slice(flat, Vector::Ones(2), 0.0, Vector::Ones(2), Vector::Ones(1), rng),
               std::invalid_argument);
}

TEST(EllipticalSlice, SameSeedSameBytes) {
  const auto log_likelihood = [](const Vector& f) { return -2 * f.squaredNorm() - f.array().exp().sum(); };
  const auto run = [&] {
    Rng rng(7);
    Vector f{{0.3, -0.2}};
    for (int i = 0; i < 50; ++i)
      f = elliptical_slice(log_likelihood, f, log_likelihood(f), rng.normal(2), rng).f;
    return f;
  };
  EXPECT_EQ(run(), run());
}

}  // namespace
}  // namespace bochner::elliptical_slice_test
