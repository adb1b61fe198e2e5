#include "bochner/backend/feature_step.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bochner/backend/host_engine.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/evidence/bounded_evidence.hpp"
#include "bochner/features/feature_stream.hpp"
#include "bochner/features/fourier_features.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::feature_step_test {
namespace {

struct Problem {
  Matrix Y, guess, X;
  Frequencies frequencies;
};

struct Shape {
  Index N, M, J, D;
  bool paired;
  double missing;
};

Problem problem(const Shape& s, std::uint64_t seed) {
  Rng rng(seed);
  Problem out{rng.normal(s.N, s.M), rng.normal(s.N, s.M), rng.normal(s.N, s.D), {}};
  out.frequencies = {rng.normal(s.J, s.D), s.paired ? Matrix(rng.normal(s.J, s.D)) : Matrix(0, s.D),
                     Vector(0.3 / std::sqrt(double(s.J)) * (1 + rng.uniform(s.J).array()))};
  const Matrix chance = Rng(seed + 1).uniform(s.N * s.M).reshaped<Eigen::RowMajor>(s.N, s.M);
  for (Index n = 0; n < s.N; ++n)
    for (Index m = 1; m < s.M; ++m)
      if (chance(n, m) < s.missing) out.Y(n, m) = std::numeric_limits<double>::quiet_NaN();
  return out;
}

FeatureStepResult on_the_processor(FilledTable<double>& table, const Problem& p, double sigma2, bool refill) {
  const auto map = FourierFeatures<double>::from(p.frequencies);
  const EvidenceOptions options;
  FeatureStream<FourierFeatures<double>> stream(map, p.X, evidence_plan(p.X.rows(), options));
  const FeatureEvidence e = bounded_feature_evidence<double>(stream.rows(), table, sigma2, stream.pull(),
                                                             refill, options, Threads(2));
  auto back = stream.finish(Threads(2));
  return {e.value, e.dsigma2, e.jitter, std::move(back.gradient), std::move(back.dX)};
}

double difference(MatrixIn a, MatrixIn b) { return (a - b).norm() / std::max(b.norm(), 1e-300); }

void expect_same(const FeatureStepResult& a, const FeatureStepResult& b, double tolerance) {
  EXPECT_NEAR(a.value, b.value, tolerance * std::abs(b.value));
  EXPECT_NEAR(a.dsigma2, b.dsigma2, 100 * tolerance * std::abs(b.dsigma2));
  EXPECT_LT(difference(a.dX, b.dX), 10 * tolerance);
  EXPECT_LT(difference(a.gradient.Omega1, b.gradient.Omega1), 10 * tolerance);
  EXPECT_EQ(a.gradient.Omega2.rows(), b.gradient.Omega2.rows());
  if (b.gradient.Omega2.rows() > 0) {
    EXPECT_LT(difference(a.gradient.Omega2, b.gradient.Omega2), 10 * tolerance);
  }
  EXPECT_LT(difference(a.gradient.amplitude, b.gradient.amplitude), 10 * tolerance);
}

Vector table_guesses(const FilledTable<double>& table) {
  return table.complete() ? Vector() : table.guesses();
}

TEST(FeatureStep, IsTheStepOfTheProcessor) {
  for (const Shape& s : {Shape{5, 3, 2, 1, false, 0},
                         {40, 7, 5, 2, true, 0},
                         {301, 13, 21, 3, true, 0},
                         {130, 5, 140, 2, true, 0},
                         {65, 9, 4, 7, false, 0},
                         {40, 7, 5, 2, true, 0.2},
                         {301, 13, 21, 3, true, 0.05},
                         {97, 4, 131, 2, false, 0.3},
                         {50, 90, 6, 2, true, 0.1},
                         {140000, 3, 2, 2, true, 0},
                         {70, 5, 523, 2, true, 0},
                         {70, 5, 523, 2, true, 0.2}}) {
    SCOPED_TRACE(testing::Message() << s.N << " x " << s.M << ", " << s.J << " frequencies in " << s.D);
    const Problem p = problem(s, 7);
    FilledTable<double> table(p.Y, p.guess, Threads(1));
    FeatureStep step(make_host_engine(), table);
    for (const bool refill : {true, true, false})  // the table of the second step is what the first has left
      expect_same(step.evaluate(p.frequencies, 0.3, p.X, refill), on_the_processor(table, p, 0.3, refill),
                  1e-12);
    EXPECT_LT((step.guesses() - table_guesses(table)).norm(), 1e-12);
  }
}

TEST(FeatureStep, TakesAnotherNumberOfFrequenciesWithItsGuesses) {
  const Problem p = problem({60, 8, 5, 2, true, 0.2}, 3);
  Problem wider = problem({60, 8, 9, 2, false, 0.2}, 4);
  wider.X = p.X;
  FilledTable<double> table(p.Y, p.guess, Threads(1));
  FeatureStep step(make_host_engine(), table);
  expect_same(step.evaluate(p.frequencies, 0.2, p.X, true), on_the_processor(table, p, 0.2, true), 1e-12);
  expect_same(step.evaluate(wider.frequencies, 0.2, p.X, true), on_the_processor(table, wider, 0.2, true),
              1e-12);
  expect_same(step.evaluate(p.frequencies, 0.2, p.X, true), on_the_processor(table, p, 0.2, true), 1e-12);
}

TEST(FeatureStep, GuessesAreReadBackAndSet) {
  const Problem p = problem({30, 6, 4, 2, true, 0.25}, 5);
  FilledTable<double> table(p.Y, p.guess, Threads(1));
  FeatureStep step(make_host_engine(), table);
  EXPECT_EQ(step.guesses(), table.guesses());
  const Vector other = Rng(9).normal(table.guesses().size());
  table.set_guesses(other);
  step.set_guesses(other);
  EXPECT_EQ(step.guesses(), other);
  expect_same(step.evaluate(p.frequencies, 0.3, p.X, true), on_the_processor(table, p, 0.3, true), 1e-12);
  step.set_guesses(other);  // beside the features
  table.set_guesses(other);
  expect_same(step.evaluate(p.frequencies, 0.3, p.X, false), on_the_processor(table, p, 0.3, false), 1e-12);
}

TEST(FeatureStep, AmplitudesThatAreTinyHaveGradientsToo) {
  Problem p = problem({50, 6, 4, 2, true, 0.1}, 6);
  p.frequencies.amplitude(1) = 0;
  p.frequencies.amplitude(2) = 1e-200;
  FilledTable<double> table(p.Y, p.guess, Threads(1));
  FeatureStep step(make_host_engine(), table);
  expect_same(step.evaluate(p.frequencies, 0.3, p.X, false), on_the_processor(table, p, 0.3, false), 1e-12);
}

TEST(FeatureStep, AddsAndRecordsJitterWhereThereIsNoFactor) {
  Problem p = problem({200, 6, 40, 1, false, 0}, 8);
  p.frequencies.Omega1 *= 1e-3;  // all features alike
  p.frequencies.amplitude *= 1e3;
  FilledTable<double> table(p.Y, p.guess, Threads(1));
  FeatureStep step(make_host_engine(), table);
  const FeatureStepResult here = step.evaluate(p.frequencies, 1e-11, p.X, false);
  EXPECT_GT(here.jitter, 0);
  EXPECT_TRUE(std::isfinite(here.value));
}

TEST(FeatureStep, RefusesWhatIsNotANumber) {
  Problem p = problem({20, 3, 2, 2, false, 0}, 8);
  FilledTable<double> table(p.Y, p.guess, Threads(1));
  FeatureStep step(make_host_engine(), table);
  EXPECT_THROW(step.evaluate(p.frequencies, 0, p.X, false), std::domain_error);
  p.frequencies.Omega1(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(step.evaluate(p.frequencies, 0.1, p.X, false), NumericalError);
  p.X(0, 0) = std::numeric_limits<double>::infinity();
  EXPECT_ANY_THROW(step.evaluate(p.frequencies, 0.1, p.X, false));
}

}  // namespace
}  // namespace bochner::feature_step_test
