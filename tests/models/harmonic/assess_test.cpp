#include "bochner/models/harmonic/assess.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bochner/data/splits.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::assess_test {
namespace {

const Threads threads(2);
const HarmonicFitOptions quick{
    .inducing = 30, .steps = 200, .batch = 100, .step_size = 0.03, .check_every = 50};

Matrix bumps(const Matrix& X) {
  Matrix Y(X.rows(), 1);
  for (Index n = 0; n < X.rows(); ++n) Y(n, 0) = 50 + 10 * std::sin(2 * X(n, 0)) * std::cos(X(n, 1));
  return Y;
}

struct Halves {
  Matrix X, Y, X_test, Y_test;
};
Halves halves(Index N, std::uint64_t seed) {
  const Matrix X = Rng(seed).normal(N, 2), Y = bumps(X) + Rng(seed + 1).normal(N, 1);
  const std::vector<Index> test = held_out_rows(N, 0.3, 1);
  std::vector<Index> train;
  for (Index n = 0; n < N; ++n)
    if (!std::binary_search(test.begin(), test.end(), n)) train.push_back(n);
  return {X(train, Eigen::all), Y(train, Eigen::all), X(test, Eigen::all), Y(test, Eigen::all)};
}

TEST(AssessHarmonic, BumpsAreLearnedBetterThanByALine) {
  const Halves h = halves(600, 1);
  EXPECT_EQ(h.X_test.rows(), 180);
  const RowSource rows = memory_rows(h.X, h.Y);
  const HarmonicFit fit = fit_harmonic(rows, {.inputs = {"a", "b"}, .outcomes = {"y"}}, quick, 1, threads);
  const HarmonicBaselines baselines = harmonic_baselines(rows, fit);
  EXPECT_NEAR(baselines.outcomes.mean(0), h.Y.mean(), 1e-9);
  const HarmonicAssessment a = assess(fit, baselines, h.X_test, h.Y_test, threads);
  EXPECT_NE(a.verdict.kind, VerdictKind::linear) << a.verdict.message();
  EXPECT_NE(a.verdict.kind, VerdictKind::unjudged);
  const HarmonicPrediction p = predict(fit, h.X_test, threads);
  EXPECT_NEAR(a.scores.model[0].rmse(), std::sqrt((p.y.mean - h.Y_test).squaredNorm() / 180), 1e-12);
  EXPECT_NEAR(a.scores.mean[0].rmse(), std::sqrt((h.Y_test.array() - h.Y.mean()).square().mean()), 1e-9);
  EXPECT_LT(a.scores.model[0].rmse(), 0.5 * a.scores.linear[0].rmse());
  HarmonicFit broken = fit;
  broken.status = Status::not_finite;
  EXPECT_TRUE(harmonic_verdict(broken, a.scores).not_converged());
  broken.status = Status::stopped_by_callback;
  EXPECT_EQ(harmonic_verdict(broken, a.scores).kind, VerdictKind::doubtful);
  EXPECT_FALSE(harmonic_verdict(broken, a.scores).not_converged());  // who has stopped it knows
}

TEST(AssessHarmonic, Classes) {
  Halves h = halves(400, 3);
  for (Matrix* Y : {&h.Y, &h.Y_test}) *Y = (Y->array() > 50).cast<double>().matrix();
  HarmonicFitOptions options = quick;
  options.likelihood = "bernoulli";
  const RowSource rows = memory_rows(h.X, h.Y);
  const HarmonicFit fit = fit_harmonic(
      rows, {.inputs = {"a", "b"}, .outcomes = {"c"}, .classes = {"low", "high"}}, options, 1, threads);
  const HarmonicBaselines baselines = harmonic_baselines(rows, fit);
  EXPECT_NEAR(baselines.shares(1), (h.Y.sum() + 1) / double(h.Y.rows() + 2), 1e-12);
  const HarmonicAssessment a = assess(fit, baselines, h.X_test, h.Y_test, threads);
  EXPECT_EQ(a.verdict.kind, VerdictKind::good) << a.verdict.message();
  EXPECT_GT(a.scores.model[0].right.mean(), 0.8);
  EXPECT_LT(a.scores.linear[0].right.mean(), a.scores.model[0].right.mean());
}

TEST(AssessHarmonic, RowsWithoutAnInputHaveNoScore) {
  const Halves h = halves(200, 5);
  const RowSource rows = memory_rows(h.X, h.Y);
  const HarmonicFit fit = fit_harmonic(rows, {.inputs = {"a", "b"}, .outcomes = {"y"}}, quick, 1, threads);
  Matrix X = h.X_test;
  X(3, 1) = std::numeric_limits<double>::quiet_NaN();
  const HarmonicPrediction p = predict_complete(fit, X, threads);
  EXPECT_TRUE(std::isnan(p.y.mean(3, 0)));
  EXPECT_EQ(p.y.mean(4, 0), predict(fit, h.X_test, threads).y.mean(4, 0));
  std::vector<OutcomeScores> scores(1);
  add_scores(fit, X, h.Y_test, p, scores, threads);
  EXPECT_EQ(scores[0].squared.count(), double(X.rows() - 1));
}

}  // namespace
}  // namespace bochner::assess_test
