// Latents on a device: the host twin against formulas in Eigen with the processor's own draws, and a card against the twin.
#include "bochner/backend/latent_step.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "bochner/backend/host_engine.hpp"
#include "bochner/backend/open_device.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"
#include "src/backend/scalar/philox.hpp"

namespace bochner::latent_step_test {
namespace {

constexpr Index Q = 2;

struct Problem {
  Index N;
  std::vector<Matrix> tables;
  std::vector<std::vector<Index>> rows;  // empty: all
  std::vector<Frequencies> frequencies;
  std::vector<double> sigma2;
  Vector theta;
  double observed = 0;
};

/// All samples in a complete table; the same and every other sample in one with missing entries.
Problem problem(Index N, int views, std::uint64_t seed) {
  Rng rng(seed);
  Problem out{.N = N, .theta = 0.7 * rng.normal(2 * N * Q)};
  for (int v = 0; v < views; ++v) {
    std::vector<Index> rows;
    if (v == 1)
      for (Index i = 1; i < N; i += 2) rows.push_back(i);
    const Index n = v == 1 ? Index(rows.size()) : N, M = 5 + 8 * v, J = 4 + 3 * v;
    Matrix Y = rng.normal(n, M);
    if (v > 0) Y(2, 3) = Y(n - 1, 0) = std::numeric_limits<double>::quiet_NaN();
    out.observed += double(Y.size() - (v > 0 ? 2 : 0));
    out.tables.push_back(std::move(Y));
    out.rows.push_back(std::move(rows));
    out.frequencies.push_back({rng.normal(J, Q), v == 2 ? Matrix(0, Q) : rng.normal(J, Q),
                               Vector(0.4 / std::sqrt(double(J)) * (1 + rng.uniform(J).array()))});
    out.sigma2.push_back(0.3 + 0.2 * v);
  }
  return out;
}

FilledTable<double> filled(const Matrix& Y) {
  return {Y, Matrix(Matrix::Zero(Y.rows(), Y.cols())), Threads(1)};
}

/// A problem on an engine.
struct Side {
  std::vector<std::unique_ptr<FeatureStep>> steps;
  std::unique_ptr<LatentStep> latents;
  DeviceVector theta, gradient;

  Side(const std::shared_ptr<Engine>& engine, const Problem& p) : theta(engine, p.theta) {
    std::vector<LatentView> views;
    for (std::size_t v = 0; v < p.tables.size(); ++v) {
      steps.push_back(std::make_unique<FeatureStep>(engine, filled(p.tables[v])));
      views.push_back({steps.back().get(), p.rows[v]});
    }
    latents = std::make_unique<LatentStep>(engine, p.N, Q, views, p.observed);
  }
  LatentStep::Result evaluate(const Problem& p, const LatentDraw& draw) {
    return latents->evaluate(p.frequencies, p.sigma2, draw, theta, gradient);
  }
};

struct Expected {
  double divergence = 0;
  Vector gradient;
  std::vector<FeatureStepResult> views;
};

/// By the processor's draws, and steps that take latents from this side.
Expected in_eigen(const Problem& p, const Rng& draws, double sign,
                  std::vector<std::unique_ptr<FeatureStep>>& steps) {
  const Index NQ = p.N * Q;
  Rng rng = draws;
  const Eigen::ArrayXd mean = p.theta.head(NQ), log_sd = p.theta.tail(NQ), sd = log_sd.exp();
  const Eigen::ArrayXd offset = sign * sd * rng.normal(NQ).array();
  const Vector x = mean + offset;
  const Matrix X = Eigen::Map<const Matrix>(x.data(), p.N, Q);
  Matrix dX = Matrix::Zero(p.N, Q);
  Expected out;
  for (std::size_t v = 0; v < steps.size(); ++v) {
    const bool all = p.rows[v].empty();
    out.views.push_back(
        steps[v]->evaluate(p.frequencies[v], p.sigma2[v], all ? X : Matrix(X(p.rows[v], Eigen::all)), true));
    if (all)
      dX += out.views[v].dX;
    else
      dX(p.rows[v], Eigen::all) += out.views[v].dX;
  }
  const Eigen::ArrayXd dx = Eigen::Map<const Vector>(dX.data(), NQ);
  out.divergence = (0.5 * (mean.square() + sd.square() - 1) - log_sd).sum();
  out.gradient.resize(2 * NQ);
  out.gradient.head(NQ) = (dx - mean) / p.observed;
  out.gradient.tail(NQ) = (dx * offset - sd.square() + 1) / p.observed;
  return out;
}

double difference(const Matrix& a, const Matrix& b) { return (a - b).norm() / b.norm(); }

void expect_same(const FeatureStepResult& a, const FeatureStepResult& b, double tolerance) {
  EXPECT_NEAR(a.value, b.value, tolerance * std::abs(b.value));
  EXPECT_NEAR(a.dsigma2, b.dsigma2, 10 * tolerance * std::abs(b.dsigma2));
  EXPECT_LT(difference(a.gradient.Omega1, b.gradient.Omega1), 10 * tolerance);
  EXPECT_LT(difference(a.gradient.amplitude, b.gradient.amplitude), 10 * tolerance);
}

TEST(LatentStep, DrawsTheNumbersOfTheProcessor) {
  const Rng stream = Rng(3).split("latents");
  Rng draws = stream;
  const Vector z = draws.normal(2001);
  for (Index i = 0; i < z.size(); ++i) {
    const scalar::NormalPair pair = scalar::normal_pair(stream.key(), std::uint64_t(i / 2));
    EXPECT_NEAR(i % 2 == 0 ? pair.first : pair.second, z(i), 4e-15 * std::max(1.0, std::abs(z(i))));
  }
}

TEST(LatentStep, IsTheBoundOfAllViewsWithItsDerivatives) {
  for (const int views : {1, 2, 3}) {
    const Problem p = problem(41, views, 4);
    Side here(make_host_engine(), p), twin(make_host_engine(), p);
    for (int step = 0; step < 3; ++step) {  // tables of later steps are what earlier ones have left
      const Rng draws = Rng(9).split(std::uint64_t(step));
      const double sign = step % 2 == 0 ? 1 : -1;
      const LatentStep::Result e = here.evaluate(p, {draws.key(), sign});
      const Expected wanted = in_eigen(p, draws, sign, twin.steps);
      const Vector gradient = here.gradient.on_host();
      EXPECT_NEAR(e.divergence, wanted.divergence, 1e-12 * wanted.divergence);
      EXPECT_LT(difference(gradient, wanted.gradient), 1e-11);
      EXPECT_NEAR(e.squares, gradient.squaredNorm(), 1e-12 * e.squares);
      for (std::size_t v = 0; v < p.tables.size(); ++v) {
        expect_same(e.views[v], wanted.views[v], 1e-11);
        EXPECT_EQ(e.views[v].dX.size(), 0);
        const Vector guesses = twin.steps[v]->guesses();
        if (guesses.size() > 0) {
          EXPECT_LT(difference(here.steps[v]->guesses(), guesses), 1e-11);
        }
      }
    }
  }
}

TEST(LatentStep, TakesOtherFormsAndOtherMemory) {
  Problem p = problem(30, 2, 6);
  Side here(make_host_engine(), p), twin(make_host_engine(), p);
  const Rng draws(2);
  here.evaluate(p, {draws.key(), 1});
  in_eigen(p, draws, 1, twin.steps);
  p.frequencies[0] = {Rng(1).normal(11, Q), Matrix(0, Q), Vector::Constant(11, 0.2)};  // arrays anew
  here.theta = DeviceVector(make_host_engine(), p.theta);
  here.gradient = {};
  const int layout = here.steps[0]->layout();
  const LatentStep::Result e = here.evaluate(p, {draws.key(), -1});
  EXPECT_NE(here.steps[0]->layout(), layout);
  const Expected wanted = in_eigen(p, draws, -1, twin.steps);
  EXPECT_LT(difference(here.gradient.on_host(), wanted.gradient), 1e-11);
  expect_same(e.views[0], wanted.views[0], 1e-11);
}

TEST(LatentStep, AddsJitterWhereThereIsNoFactorAndRefusesWhatIsNotANumber) {
  Problem p = problem(200, 2, 8);
  p.frequencies[0] = {1e-3 * Rng(1).normal(40, Q), Matrix(0, Q),
                      Vector::Constant(40, 1e3)};  // all features alike
  p.sigma2[0] = 1e-11;
  Side here(make_host_engine(), p);
  const LatentStep::Result e = here.evaluate(p, {1, 1});
  EXPECT_GT(e.views[0].jitter, 0);
  EXPECT_EQ(e.views[1].jitter, 0);
  EXPECT_TRUE(here.gradient.on_host().allFinite());
  p.theta(5) = std::numeric_limits<double>::quiet_NaN();
  Side bad(make_host_engine(), p);
  EXPECT_THROW(bad.evaluate(p, {1, 1}), NumericalError);
  p.sigma2.pop_back();
  EXPECT_THROW(here.evaluate(p, {1, 1}), std::invalid_argument);
}

TEST(LatentStep, RefusesRowsThatAreNotThere) {
  const auto engine = make_host_engine();
  FeatureStep step(engine, filled(Rng(1).normal(4, 3)));
  const auto with = [&](std::vector<Index> rows) {
    LatentStep(engine, 6, Q, {{&step, std::move(rows)}}, 12);
  };
  EXPECT_NO_THROW(with({5, 0, 2, 3}));
  EXPECT_THROW(with({}), std::invalid_argument);  // all six
  EXPECT_THROW(with({0, 1, 2}), std::invalid_argument);
  EXPECT_THROW(with({0, 1, 2, 6}), std::domain_error);
  EXPECT_THROW(with({-1, 1, 2, 3}), std::domain_error);
  EXPECT_THROW(with({0, 1, 2, 2}), std::domain_error);
}

TEST(DeviceVector, IsAValueWhoseMemoryStaysWhereItIs) {
  const auto engine = make_host_engine();
  const Vector a = Rng(1).normal(7), b = Rng(2).normal(7);
  DeviceVector first(engine, a), second(engine, b), none;
  const DeviceVector copy = first;
  const double* const at = first.data();
  first = second;
  EXPECT_EQ(first.data(), at);
  EXPECT_EQ(first.on_host(), b);
  EXPECT_EQ(copy.on_host(), a);
  first = DeviceVector(engine, a.head(3).eval());
  EXPECT_EQ(first.on_host(), a.head(3));
  first = none;
  EXPECT_EQ(first.size(), 0);
}

/// Skipped where there is no plugin or no card (docs/gpu.md).
TEST(LatentStep, OnACardIsThatOfTheHostTwinAndTheSameBytesTwice) {
  std::shared_ptr<Engine> card;
  try {
    card = open_cuda(0);
  } catch (const InputError& error) {
    GTEST_SKIP() << error.what();
  }
  for (const Index N : {41, 3001})
    for (const int views : {1, 2, 3}) {
      Problem p = problem(N, views, std::uint64_t(N + views));
      Side twin(make_host_engine(), p), there(card, p), again(card, p);
      for (int step = 0; step < 4; ++step) {  // the second one is captured, the others replay
        const LatentDraw draw{Rng(9).split(std::uint64_t(step)).key(), step % 2 == 0 ? 1.0 : -1.0};
        for (int v = 0; v < views; ++v) {
          p.frequencies[std::size_t(v)].Omega1 *= 0.8;
          p.sigma2[std::size_t(v)] *= 1.3;
        }
        const LatentStep::Result a = twin.evaluate(p, draw), b = there.evaluate(p, draw),
                                 c = again.evaluate(p, draw);
        const Vector gradient = there.gradient.on_host();
        EXPECT_NEAR(b.divergence, a.divergence, 1e-12 * a.divergence);
        EXPECT_NEAR(b.squares, a.squares, 1e-9 * a.squares);
        EXPECT_LT(difference(gradient, twin.gradient.on_host()), 1e-9);
        EXPECT_EQ(gradient, again.gradient.on_host());
        EXPECT_EQ(b.divergence, c.divergence);
        EXPECT_EQ(b.squares, c.squares);
        for (std::size_t v = 0; v < p.tables.size(); ++v) {
          expect_same(b.views[v], a.views[v], 1e-10);
          EXPECT_EQ(b.views[v].value, c.views[v].value);
          EXPECT_EQ(b.views[v].gradient.Omega1, c.views[v].gradient.Omega1);
        }
      }
    }
}

}  // namespace
}  // namespace bochner::latent_step_test
