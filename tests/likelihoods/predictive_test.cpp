#include "bochner/likelihoods/predictive.hpp"

#include <gtest/gtest.h>

#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <stdexcept>

#include "dense_integral.hpp"
#include "likelihood_examples.hpp"

namespace bochner::predictive_test {
namespace {

using bochner::testing::dense_expectation;
using bochner::testing::example;

const std::vector<double> levels{0.001, 0.05, 0.5, 0.9, 0.999};
Compute one_thread() { return Threads(1); }
double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

/// Three parts of very different places and widths.
template <class L>
std::vector<LatentMarginals> mixture() {
  const auto e = example<L>();
  return {{e.mean, e.var},
          {e.mean.array() + 1.5, 0.3 * e.var},
          {e.mean.array() - 0.7, Matrix::Zero(e.mean.rows(), e.mean.cols())}};
}

template <class L>
void expect_quantiles_invert_the_distribution(double tolerance) {
  const AnyLikelihood l = example<L>().likelihood;
  for (const auto& draws : {mixture<L>(), std::vector<LatentMarginals>{mixture<L>().front()}}) {
    const std::vector<Matrix> q = quantiles(l, draws, levels, one_thread());
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const Matrix back = cumulative(l, draws, q[i], one_thread());
      EXPECT_LT((back.array() - levels[i]).abs().maxCoeff(), tolerance) << likelihood_name(l) << levels[i];
    }
  }
}

TEST(Predictive, QuantilesInvertTheDistribution) {
  expect_quantiles_invert_the_distribution<GaussianNoise>(1e-10);
  expect_quantiles_invert_the_distribution<StudentT>(1e-10);
  expect_quantiles_invert_the_distribution<HeteroscedasticNoise>(1e-10);
}

template <class L>
void expect_smallest_counts() {
  const AnyLikelihood l = example<L>().likelihood;
  const auto draws = mixture<L>();
  const std::vector<Matrix> q = quantiles(l, draws, levels, one_thread());
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const Matrix upto = cumulative(l, draws, q[i], one_thread()),
                 below = cumulative(l, draws, q[i].array() - 1, one_thread());
    EXPECT_TRUE((upto.array() >= levels[i]).all());
    EXPECT_TRUE((below.array() < levels[i]).all());
    EXPECT_TRUE((q[i].array() == q[i].array().floor()).all());
  }
}

TEST(Predictive, QuantilesOfCountsAreTheSmallestThatReachTheLevel) {
  expect_smallest_counts<Poisson>();
  expect_smallest_counts<NegativeBinomial>();
}

// P(y <= t) by summing the probabilities that log_predictive gives.
template <class L>
void expect_sums(const L& l) {
  const LatentMarginals f{Matrix{{0.2, 1.5}, {-1, 3}}, Matrix{{0.5, 0.1}, {3, 0}}};
  Matrix sum = Matrix::Zero(2, 2);
  for (int y = 0; y <= 60; ++y) {
    sum.array() += l.log_predictive(Matrix::Constant(2, 2, y), f.mean, f.variance).array().exp();
    if (y % 12 == 0) {
      const Matrix F = cumulative(l, {f}, Matrix::Constant(2, 2, y), one_thread());
      EXPECT_LT((F - sum).cwiseAbs().maxCoeff(), 1e-9) << y;
    }
  }
}

TEST(Predictive, CountsAddUpTheirProbabilities) {
  expect_sums(Poisson{.log_rate = Vector{{0.3, 2.0}}});
  expect_sums(NegativeBinomial{.log_rate = Vector{{0.3, 2.0}}, .size = Vector{{0.4, 6.0}}});
}

// The normal distribution function averaged over a dense grid of the log noise variance.
TEST(Predictive, HeteroscedasticNoiseAgreesWithADenseIntegral) {
  const HeteroscedasticNoise l{.variance = Vector{{0.7}}, .amplitude = Vector{{0.9}}};
  for (const auto& [t, m, v, mg, vg] :
       {std::tuple{1.3, 0.2, 0.4, 0.5, 1.0}, {-9.0, 0.0, 2.0, -1.0, 4.0}, {3.0, 2.9, 1e-6, -3.0, 0.2}}) {
    const LatentMarginals f{Matrix{{m, mg}}, Matrix{{v, vg}}};
    const auto given = [&, t = t, m = m, v = v](double g) {
      return normal_cdf((t - m) / std::sqrt(v + 0.7 * std::exp(0.9 * g)));
    };
    EXPECT_NEAR(cumulative(l, {f}, Matrix{{t}}, one_thread())(0, 0), dense_expectation(given, mg, vg), 1e-10)
        << t;
    const auto density = [&, t = t, m = m, v = v](double g) {
      const double s2 = v + 0.7 * std::exp(0.9 * g);
      return std::exp(-0.5 * (t - m) * (t - m) / s2) / std::sqrt(2 * pi * s2);
    };
    EXPECT_NEAR(l.log_predictive(Matrix{{t}}, f.mean, f.variance)(0, 0),
                std::log(dense_expectation(density, mg, vg)), 1e-10)
        << t;
  }
}

// Student's distribution function by Boost's incomplete beta, averaged over a dense grid of f.
TEST(Predictive, StudentAgreesWithADenseIntegral) {
  for (const double nu : {1.1, 2.5, 4.0, 40.0}) {
    const StudentT l{.scale = Vector{{0.7}}, .degrees = nu};
    const auto given = [&](double t) {
      const double x = nu / (nu + t * t), tail = 0.5 * boost::math::ibeta(0.5 * nu, 0.5, x);
      return t > 0 ? 1 - tail : tail;
    };
    for (const auto& [t, m, v] : {std::tuple{1.3, 0.2, 0.4}, {-25.0, 0.0, 2.0}, {3.0, 2.9, 1e-6}}) {
      const double F = cumulative(l, {{Matrix{{m}}, Matrix{{v}}}}, Matrix{{t}}, one_thread())(0, 0);
      const double dense = dense_expectation([&, at = t](double f) { return given((at - f) / 0.7); }, m, v);
      EXPECT_NEAR(F, dense, 1e-10) << nu << " " << t;
    }
  }
}

TEST(Predictive, AMixtureIsTheMeanOfItsParts) {
  const AnyLikelihood l = example<StudentT>().likelihood;
  const auto draws = mixture<StudentT>();
  const Matrix t = example<StudentT>().mean.array() + 0.4;
  Matrix sum = Matrix::Zero(t.rows(), t.cols());
  for (const LatentMarginals& d : draws) sum += cumulative(l, {d}, t, one_thread()) / 3;
  EXPECT_LT((cumulative(l, draws, t, one_thread()) - sum).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Predictive, QuantilesOfAProbabilityAreThoseOfItsFunction) {
  const LatentMarginals f{Matrix{{0.4, -2}}, Matrix{{0.9, 3}}};
  const std::vector<Matrix> q = quantiles(Bernoulli{.outputs_ = 2}, {f}, {0.25, 0.5}, one_thread());
  const double z = -0.6744897501960817;
  for (Index p = 0; p < 2; ++p) {
    EXPECT_NEAR(q[0](0, p), normal_cdf(f.mean(0, p) + z * std::sqrt(f.variance(0, p))), 1e-10);
    EXPECT_NEAR(q[1](0, p), normal_cdf(f.mean(0, p)), 1e-10);
  }
  EXPECT_NEAR(cumulative(Bernoulli{.outputs_ = 2}, {f}, q[0], one_thread())(0, 1), 0.25, 1e-10);
}

// Draws of f and then of y, against the distribution function: a binomial share in standard errors.
TEST(Predictive, AgreesWithMonteCarlo) {
  constexpr Index S = 20000;
  const auto check = [&](const AnyLikelihood& l, const std::vector<LatentMarginals>& draws, double t) {
    Rng rng(5);
    Matrix f(S, latents(l));
    for (Index s = 0; s < S; ++s) {
      const LatentMarginals& d = draws[static_cast<std::size_t>(s) % draws.size()];
      for (Index c = 0; c < f.cols(); ++c)
        f(s, c) = d.mean(0, c) + std::sqrt(d.variance(0, c)) * rng.normal();
    }
    const double share = double((draw_outcomes(l, f, rng).array() <= t).count()) / double(S);
    const double F = cumulative(l, draws, Matrix{{t}}, one_thread())(0, 0);
    EXPECT_NEAR(share, F, 4 * std::sqrt(F * (1 - F) / double(S))) << likelihood_name(l);
    EXPECT_GT(F * (1 - F), 0.05);
  };
  const std::vector<LatentMarginals> two{{Matrix{{0.3}}, Matrix{{0.8}}}, {Matrix{{1.6}}, Matrix{{0.1}}}};
  check(GaussianNoise{.variance = Vector{{0.5}}}, two, 0.9);
  check(StudentT{.scale = Vector{{0.4}}, .degrees = 2.2}, two, 1.7);
  check(Poisson{.log_rate = Vector{{0.8}}}, two, 6);
  check(NegativeBinomial{.log_rate = Vector{{0.8}}, .size = Vector{{1.3}}}, two, 6);
  check(HeteroscedasticNoise{.variance = Vector{{0.3}}, .amplitude = Vector{{0.8}}},
        {{Matrix{{0.3, 1.0}}, Matrix{{0.8, 0.5}}}, {Matrix{{1.6, -1.0}}, Matrix{{0.1, 2.0}}}}, 1.9);
}

TEST(Predictive, SoftmaxOfTwoClassesIsALogisticFunctionOfTheirDifference) {
  const Softmax l{.classes = 2};
  const LatentMarginals f{Matrix{{0.5, -0.4}, {2, 0}}, Matrix{{0.7, 0.3}, {0.2, 1.1}}};
  const std::vector<Matrix> q = probability_quantiles(l, {f}, {0.1, 0.5, 0.9}, Rng(3), one_thread());
  const double z[] = {-1.2815515655446004, 0, 1.2815515655446004};
  for (Index n = 0; n < 2; ++n) {
    const double m = f.mean(n, 0) - f.mean(n, 1), sd = std::sqrt(f.variance.row(n).sum());
    for (std::size_t i = 0; i < 3; ++i) {
      // The level that the returned value has: within four standard errors of the one asked for.
      const double p = q[i](n, 0), level = normal_cdf((std::log(p / (1 - p)) - m) / sd);
      EXPECT_NEAR(level, normal_cdf(z[i]), 4 * 0.012);
      EXPECT_NEAR(q[i](n, 0) + q[2 - i](n, 1), 1, 1e-12);
    }
  }
}

TEST(Predictive, ClassesHaveNoDistributionOfY) {
  const LatentMarginals f{Matrix::Zero(1, 3), Matrix::Ones(1, 3)};
  EXPECT_FALSE(has_quantiles(Softmax{.classes = 3}));
  EXPECT_THROW(quantiles(Softmax{.classes = 3}, {f}, {0.5}, one_thread()), std::invalid_argument);
  EXPECT_THROW(quantiles(example<Poisson>().likelihood, mixture<Poisson>(), {1.0}, one_thread()),
               std::domain_error);
}

TEST(Predictive, ThreadsChangeNothing) {
  const LatentMarginals f{Rng(1).normal(300, 1), Rng(2).normal(300, 1).array().exp()};
  const StudentT l{.scale = Vector{{0.4}}, .degrees = 3};
  EXPECT_EQ(quantiles(l, {f}, {0.1}, Threads(1))[0], quantiles(l, {f}, {0.1}, Threads(3))[0]);
}

}  // namespace
}  // namespace bochner::predictive_test
