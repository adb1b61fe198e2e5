#include "bochner/models/harmonic/distribution.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/models/harmonic/assess.hpp"
#include "bochner/models/harmonic/interpret.hpp"
#include "bochner/simulate/regression.hpp"

namespace bochner::harmonic_distribution_test {
namespace {

const Threads threads(1);

/// y depends on the first of three inputs, a little on the second, on the third not at all; two outcomes.
struct Case {
  Matrix X = Rng(1).normal(120, 3), Y = Matrix(120, 2);
  explicit Case(const std::string& likelihood) {
    const Matrix noise = Rng(2).normal(120, 2);
    for (Index n = 0; n < 120; ++n) {
      const double f = 1.2 * std::sin(2 * X(n, 0)) + 0.3 * X(n, 1);
      Y.row(n) << 50 + 20 * (f + 0.2 * noise(n, 0)), f + 0.4 * noise(n, 1);
      if (likelihood == "poisson")
        Y.row(n) = Y.row(n).unaryExpr([&](double) { return std::floor(std::exp(f + 1)); });
    }
  }
};

HarmonicFit fitted(const std::string& likelihood, std::vector<std::string> layers = {}) {
  const Case c(likelihood);
  return fit_harmonic(memory_rows(c.X, c.Y), {.inputs = {"a", "b", "c"}, .outcomes = {"y", "z"}},
                      {.ard = true,
                       .likelihood = likelihood,
                       .layers = layers,
                       .inducing = 15,
                       .steps = 250,
                       .batch = 60,
                       .draws = 6},
                      3, threads);
}

TEST(HarmonicDistribution, GaussianIntervalsAreMeanAndSd) {
  const HarmonicFit fit = fitted("gaussian");
  const Matrix X = Case("gaussian").X.topRows(9);
  const HarmonicPrediction p = predict(fit, X, threads);
  const PredictionInterval at = predict_interval(fit, p.draws, 0.8, threads);
  const Matrix half = normal_quantile_of_interval(0.8) * p.y.variance.cwiseSqrt();
  EXPECT_EQ(at.low, p.y.mean - half);
  EXPECT_EQ(at.high, p.y.mean + half);
  const std::vector<Matrix> q = predict_quantiles(fit, p.draws, {0.1, 0.5, 0.9}, threads);
  EXPECT_LT((q[0] - at.low).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((q[1] - p.y.mean).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(HarmonicDistribution, DeepIntervalsAreThoseOfTheMixture) {
  const HarmonicFit fit = fitted("gaussian", {"2"});
  const Matrix X = Case("gaussian").X.topRows(7);
  const HarmonicPrediction p = predict(fit, X, threads);
  ASSERT_EQ(p.draws.size(), 6u);
  const PredictionInterval at = predict_interval(fit, p.draws, 0.9, threads);
  const auto& noise = std::get<GaussianNoise>(fit.gp.likelihood).variance;
  for (Index n = 0; n < 7; ++n)
    for (Index o = 0; o < 2; ++o) {
      double below = 0;
      for (const LatentMarginals& d : p.draws) {
        const double z = ((at.low(n, o) - fit.outputs.centre(o)) / fit.outputs.scale(o) - d.mean(n, o)) /
                         std::sqrt(d.variance(n, o) + noise(o));
        below += 0.5 * std::erfc(-z / std::sqrt(2.0)) / 6;
      }
      EXPECT_NEAR(below, 0.05, 1e-9);
    }
  EXPECT_THROW(predict_covariance(fit, X, threads), InputError);
  EXPECT_EQ(sample_outcomes(fit, X, 3, Rng(1), threads).size(), 3u);
}

TEST(HarmonicDistribution, EveryLikelihoodOfNumbersIsScoredByItsIntervals) {
  for (const char* likelihood : {"gaussian", "student", "poisson"}) {
    const HarmonicFit fit = fitted(likelihood);
    const Case c(likelihood);
    const HarmonicPrediction p = predict_complete(fit, c.X, threads);
    const Matrix share = covered_share(fit, p.draws, c.Y, 0.9, threads);
    EXPECT_GT(share.mean(), 0.7) << likelihood;
    EXPECT_LE(share.maxCoeff(), 1) << likelihood;
    std::vector<OutcomeScores> scores(2);
    add_scores(fit, c.X, c.Y, p, scores, threads);
    EXPECT_EQ(scores[1].covered.count(), 120) << likelihood;
    EXPECT_NEAR(scores[0].covered.mean(), share.col(0).mean(), 1e-12) << likelihood;
  }
}

TEST(HarmonicDistribution, CovarianceHasTheVariancesOnItsDiagonal) {
  const HarmonicFit fit = fitted("gaussian");
  const Matrix X = Case("gaussian").X.topRows(30);
  const HarmonicPrediction p = predict(fit, X, threads);
  const std::vector<Matrix> C = predict_covariance(fit, X, threads);
  ASSERT_EQ(C.size(), 2u);
  for (Index o = 0; o < 2; ++o) {
    const Matrix& c = C[static_cast<std::size_t>(o)];
    EXPECT_LT((c.diagonal() - p.f.variance.col(o)).cwiseAbs().maxCoeff(),
              1e-9 * p.f.variance.col(o).maxCoeff() + 1e-9);
    EXPECT_LT((c - c.transpose()).cwiseAbs().maxCoeff(), 1e-10);
  }
}

// Joint draws: means, variances and the covariance of two near rows, in standard errors.
TEST(HarmonicDistribution, SamplesHaveTheMomentsOfThePrediction) {
  const HarmonicFit fit = fitted("gaussian");
  Matrix X = Case("gaussian").X.topRows(3);
  X.row(1) = X.row(0).array() + 0.02;
  constexpr Index S = 4000;
  const std::vector<Matrix> draws = sample_outcomes(fit, X, S, Rng(8), threads);
  const HarmonicPrediction p = predict(fit, X, threads);
  const Matrix C = predict_covariance(fit, X, threads)[1];
  Vector mean = Vector::Zero(3), square = Vector::Zero(3);
  double cross = 0;
  for (const Matrix& y : draws) {
    const Vector off = y.col(1) - p.y.mean.col(1);
    mean += off / double(S);
    square += off.cwiseAbs2() / double(S);
    cross += off(0) * off(1) / double(S);
  }
  for (Index n = 0; n < 3; ++n) {
    const double v = p.y.variance(n, 1);
    EXPECT_NEAR(mean(n), 0, 4 * std::sqrt(v / double(S)));
    EXPECT_NEAR(square(n), v, 4 * v * std::sqrt(2.0 / double(S)));
  }
  const double v = p.y.variance(0, 1);
  EXPECT_NEAR(cross, C(0, 1), 4 * std::sqrt((v * v + C(0, 1) * C(0, 1)) / double(S)));
}

TEST(HarmonicInterpret, RelevanceAndDependence) {
  const HarmonicFit fit = fitted("gaussian");
  const Matrix X = Case("gaussian").X;
  const Vector r = input_relevance(fit, X, Rng(1), threads);
  ASSERT_EQ(r.size(), 3);
  EXPECT_GT(r(0), 0.6);
  EXPECT_GT(r(1), 2 * r(2));
  const PartialDependence d = partial_dependence(fit, X, 1, threads);
  EXPECT_EQ(d.column, "b");
  ASSERT_EQ(d.mean.cols(), 2);
  const Index last = d.values.size() - 1;
  const double slope = (d.mean(last, 1) - d.mean(0, 1)) / (d.values(last) - d.values(0));
  EXPECT_NEAR(slope, 0.3, 0.15);
  const Vector ell = lengthscales(fit.gp.kernel);
  ASSERT_EQ(ell.size(), 3);
  EXPECT_LT(ell(0), ell(2));
}

}  // namespace
}  // namespace bochner::harmonic_distribution_test
