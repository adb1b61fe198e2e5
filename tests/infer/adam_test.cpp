#include "bochner/infer/adam.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "bochner/core/errors.hpp"
#include "bochner/random/rng.hpp"
#include "targets.hpp"

namespace bochner::adam_test {
namespace {

using testing::Quadratic;
using testing::rosenbrock;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double bowl(const Vector& x, Vector& grad) {  // x0^2 / 2 + 5 x1^2 + x0 x1
  grad << x(0) + x(1), 10 * x(1) + x(0);
  return 0.5 * x(0) * x(0) + 5 * x(1) * x(1) + x(0) * x(1);
}

struct Pin {
  Index step;
  double x0, x1;
};

void expect_path(const AdamOptions& options, const std::vector<Pin>& pins) {
  Vector x{{1.0, -2.0}}, grad(2);
  AdamState state;
  for (const Pin& pin : pins) {
    while (state.count < pin.step) {
      bowl(x, grad);
      state.step(x, grad, options);
    }
    EXPECT_NEAR(x(0), pin.x0, 1e-13) << "after step " << pin.step;
    EXPECT_NEAR(x(1), pin.x1, 1e-13) << "after step " << pin.step;
  }
}

// Pins: optax 0.2.8, optax.adam on jax 0.10.2 in float64, the bowl above from (1, -2).
TEST(Adam, FollowsOptaxWithDefaultBetas) {
  expect_path({.step = 0.1}, {{1, 1.099999999, -1.9000000000526316},
                              {2, 1.1988125783314596, -1.800199742875396},
                              {3, 1.2951127601660912, -1.7007505972250827},
                              {10, 1.6729492321212591, -1.0299950809627245},
                              {100, -0.020571056504690387, 0.008674382609757742}});
}

TEST(Adam, FollowsOptaxWithItsOwnBetasAndEps) {
  expect_path({.step = 0.05, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-3},
              {{1, 1.04995004995005, -1.9500026314404506},
               {2, 1.0996038240897175, -1.9000734586526515},
               {3, 1.148716618616554, -1.850259847166886},
               {10, 1.4459214498766881, -1.5088176505852826},
               {100, 0.001147501025368873, -0.0006931746735173787}});
}

TEST(Adam, MinimizeTakesTheStepsOfItsState) {
  const AdamOptions options{
      .step = 0.1, .schedule = DecayingStep{.every = 4, .factor = 0.5}, .max_iterations = 11};
  AdamRun run{.theta = Vector{{1.0, -2.0}}};
  minimize(bowl, run, options);
  Vector x{{1.0, -2.0}}, grad(2);
  AdamState state;
  for (Index t = 0; t < 11; ++t) {
    bowl(x, grad);
    state.step(x, grad, options, step_factor(options.schedule, t, 11));
  }
  EXPECT_EQ(run.theta, x);
  EXPECT_EQ(run.state.m, state.m);
  EXPECT_EQ(run.state.v, state.v);
}

TEST(Adam, FindsTheFloorOfRosenbrocksValley) {
  const Vector start{{-1.2, 1.0, -1.2}};
  const auto r = minimize(
      rosenbrock, start,
      AdamOptions{
          .step = 0.02, .schedule = CosineStep{}, .max_iterations = 30'000, .gradient_tolerance = 1e-9});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LT((r.theta - Vector::Ones(3)).norm(), 1e-8);
  EXPECT_EQ(Index(r.trace.size()), r.iterations);
}

TEST(Adam, SolvesAnIllConditionedQuadratic) {
  const Quadratic f = Quadratic::random(5, 1e4, 7);
  const auto r = minimize(f, Vector::Zero(5),
                          AdamOptions{.step = 0.05, .schedule = CosineStep{}, .max_iterations = 20'000});
  EXPECT_LT((r.theta - f.optimum).norm(), 1e-6);
  EXPECT_NEAR(r.value, 3.0, 1e-10);
}

TEST(Adam, StopsAtASmallGradient) {
  const Quadratic f = Quadratic::random(4, 10, 8);
  const auto r = minimize(f, Vector::Zero(4),
                          AdamOptions{.step = 0.1,
                                      .schedule = DecayingStep{.every = 200},
                                      .max_iterations = 5000,
                                      .gradient_tolerance = 1e-6});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LE(r.gradient_norm, 1e-6);
  EXPECT_LT(r.iterations, 5000);
  Vector grad(4);
  EXPECT_EQ(f(r.theta, grad), r.value);
  EXPECT_EQ(grad.norm(), r.gradient_norm);
}

TEST(Adam, GivesBackTheBestPointEvaluated) {
  // A step far too long circles the optimum: the last point is worse than the best.
  const AdamOptions options{.step = 1.5, .max_iterations = 57};
  const auto r = minimize(bowl, Vector{{1.0, -2.0}}, options);
  double least = std::numeric_limits<double>::infinity();
  for (const Iteration& it : r.trace) least = std::min(least, it.value);
  Vector grad(2);
  EXPECT_EQ(r.value, least);
  EXPECT_EQ(bowl(r.theta, grad), least);
  EXPECT_LT(r.value, r.trace.back().value);
}

TEST(Adam, MaximizeIsMinimizeOfTheNegative) {
  const Quadratic f = Quadratic::random(3, 5, 9);
  const auto hill = [&](const Vector& x, Vector& grad) {
    const double v = -f(x, grad);
    grad = -grad;
    return v;
  };
  const AdamOptions options{.step = 0.05, .max_iterations = 40};
  const auto down = minimize(f, Vector::Ones(3), options);
  const auto up = maximize(hill, Vector::Ones(3), options);
  EXPECT_EQ(up.theta, down.theta);
  EXPECT_EQ(up.value, -down.value);
  EXPECT_EQ(up.trace[17].value, -down.trace[17].value);
  AdamRun run{.theta = Vector::Ones(3)};
  EXPECT_EQ(maximize(hill, run, options).theta, down.theta);

  const auto ignoring_the_step = [](const Objective& g) {
    return StochasticObjective([g](const Vector& x, Index, Vector& grad) { return g(x, grad); });
  };
  const auto noisy_down = minimize(ignoring_the_step(f), Vector::Ones(3), options);
  const auto noisy_up = maximize(ignoring_the_step(hill), Vector::Ones(3), options);
  EXPECT_EQ(noisy_up.theta, noisy_down.theta);
  EXPECT_EQ(noisy_up.value, -noisy_down.value);
  AdamRun noisy_run{.theta = Vector::Ones(3)};
  EXPECT_EQ(maximize(ignoring_the_step(hill), noisy_run, options).theta, noisy_down.theta);
}

TEST(Adam, CallbackSeesEveryIterationAndStops) {
  std::vector<Index> seen;
  const auto r = minimize(bowl, Vector{{1.0, -2.0}}, AdamOptions{.step = 0.01, .max_iterations = 100},
                          [&](const Iteration& it) {
                            seen.push_back(it.number);
                            EXPECT_EQ(it.step, 0.01);
                            return it.number < 6;
                          });
  EXPECT_EQ(r.status, Status::stopped_by_callback);
  EXPECT_EQ(seen, (std::vector<Index>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(r.iterations, 7);
  EXPECT_EQ(r.evaluations, 7);
}

// A noisy objective whose noise is keyed by the step number.
StochasticObjective noisy(const Quadratic& f, std::uint64_t seed, double sd) {
  return [&f, noise = Rng(seed).split("noise"), sd](const Vector& x, Index step, Vector& grad) {
    Rng rng = noise.split(std::uint64_t(step));
    const Vector shift = sd * rng.normal(x.size());  // f(x + shift) - its mean gain: unbiased gradient
    return f(x + shift, grad) - 0.5 * shift.dot(f.A * shift);
  };
}

TEST(Adam, ResumedRunHasTheBytesOfAnUninterruptedOne) {
  const Quadratic f = Quadratic::random(6, 100, 10);
  const AdamOptions options{.step = 0.05, .schedule = CosineStep{}, .max_iterations = 200, .patience = 150};
  const auto whole = minimize(noisy(f, 3, 0.3), Vector::Zero(6), options);
  AdamRun run{.theta = Vector::Zero(6)};
  OptimizeResult part;
  for (const Index stop : {36, 37, 120})
    part = minimize(noisy(f, 3, 0.3), run, options, [&](const Iteration& it) { return it.number < stop; });
  EXPECT_EQ(part.iterations, 121);
  const AdamRun saved = run;  // all that a checkpoint needs
  AdamRun loaded = saved;
  part = minimize(noisy(f, 3, 0.3), loaded, options);
  EXPECT_EQ(part.theta, whole.theta);
  EXPECT_EQ(part.value, whole.value);
  EXPECT_EQ(part.iterations, whole.iterations);
  EXPECT_EQ(part.status, whole.status);
  EXPECT_EQ(part.trace.back().value, whole.trace.back().value);
}

TEST(Adam, StochasticObjectiveIsMinimizedWithoutBias) {
  const Quadratic f = Quadratic::random(3, 10, 11);
  const Index runs = 40;
  Matrix error(runs, 3);
  for (Index i = 0; i < runs; ++i) {
    const auto r = minimize(noisy(f, 100 + std::uint64_t(i), 0.2), Vector::Zero(3),
                            AdamOptions{.step = 0.05, .schedule = CosineStep{}, .max_iterations = 2000});
    error.row(i) = (r.theta - f.optimum).transpose();
  }
  for (Index d = 0; d < 3; ++d) {
    const double mean = error.col(d).mean();
    const double se = std::sqrt((error.col(d).array() - mean).square().sum() / double(runs * (runs - 1)));
    EXPECT_NEAR(mean, 0.0, 4 * se);
    EXPECT_LT(se * std::sqrt(double(runs)), 0.04);  // a fifth of the noise of one draw
  }
}

TEST(Adam, ValueOfAStochasticObjectiveIsARunningMean) {
  const Quadratic f = Quadratic::random(3, 10, 11);
  const auto r =
      minimize(noisy(f, 4, 0.2), Vector::Zero(3), AdamOptions{.max_iterations = 300, .smoothing = 20});
  double sum = 0, weights = 0, weight = 1;
  for (auto it = r.trace.rbegin(); it != r.trace.rend(); ++it, weight *= 0.95) {
    sum += weight * it->value;
    weights += weight;
  }
  EXPECT_NEAR(r.value, sum / weights, 1e-12);
  EXPECT_NE(r.value, r.trace.back().value);
}

TEST(Adam, FlatnessIsJudgedByTheRunningMean) {
  const Quadratic f = Quadratic::random(3, 4, 12);
  AdamOptions options{.step = 0.02, .max_iterations = 20'000, .tolerance = 1e-3, .patience = 200};
  const auto r = minimize(noisy(f, 5, 0.3), Vector::Constant(3, 4.0), options);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_GT(r.iterations, 400);  // the way down alone takes about 4 / 0.02 = 200 steps, and then the patience
  EXPECT_LT(r.iterations, 5000);
  EXPECT_LT((r.theta - f.optimum).norm(), 0.3);
  options.patience = 0;
  options.max_iterations = r.iterations + 1;
  EXPECT_EQ(minimize(noisy(f, 5, 0.3), Vector::Constant(3, 4.0), options).status, Status::iteration_limit);
}

// ------------------------------------------------------------------------------------------ the not-finite
// guard

enum class Poison { value, gradient, overflow, error };

struct PoisonTest : ::testing::TestWithParam<Poison> {
  Index calls = 0;
  Index bad_call = 20;

  /// The bowl, broken at one call.
  Objective poisoned() {
    return [this](const Vector& x, Vector& grad) {
      const double v = bowl(x, grad);
      if (calls++ != bad_call) return v;
      switch (GetParam()) {
        case Poison::value:
          return nan;
        case Poison::gradient:
          grad(1) = nan;
          return v;
        case Poison::overflow:
          grad(1) = 1e200;
          return v;  // finite, but its square is not
        case Poison::error:
          throw NumericalError("the matrix is not positive definite");
      }
      return v;
    };
  }
};

TEST_P(PoisonTest, LeavesTheBestStateWhenNoRetryIsAllowed) {
  const AdamOptions options{.step = 0.05, .max_iterations = 100, .max_retries = 0};
  const auto r = minimize(poisoned(), Vector{{1.0, -2.0}}, options);
  AdamOptions before = options;
  before.max_iterations = 20;
  const auto clean = minimize(bowl, Vector{{1.0, -2.0}}, before);
  EXPECT_EQ(r.status, Status::not_finite);
  EXPECT_EQ(r.theta, clean.theta);
  EXPECT_EQ(r.value, clean.value);
  EXPECT_EQ(r.iterations, 21);
  EXPECT_EQ(r.trace.size(), 20u);
  EXPECT_FALSE(r.trouble.empty());
}

TEST_P(PoisonTest, StepsBackHalvesTheStepAndGoesOn) {
  const AdamOptions options{.step = 0.05,
                            .schedule = DecayingStep{.every = 500},
                            .max_iterations = 4000,
                            .gradient_tolerance = 1e-8};
  const auto r = minimize(poisoned(), Vector{{1.0, -2.0}}, options);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.retries, 1);
  EXPECT_LT(r.theta.norm(), 1e-7);
  EXPECT_EQ(r.trace[19].step, 0.05);
  EXPECT_EQ(r.trace[20].step, 0.025);

  // By hand: the moments go back with the point, so that step 20 is taken again, half as long.
  Vector x{{1.0, -2.0}}, grad(2);
  AdamState state;
  for (int t = 0; t < 20; ++t) {
    bowl(x, grad);
    state.step(x, grad, options, t == 19 ? 0.5 : 1.0);
  }
  EXPECT_EQ(r.trace[20].value, r.trace[19].value);
  EXPECT_EQ(r.trace[21].value, bowl(x, grad));
}

INSTANTIATE_TEST_SUITE_P(Adam, PoisonTest,
                         ::testing::Values(Poison::value, Poison::gradient, Poison::overflow, Poison::error));

TEST(Adam, RetriesAreBounded) {
  Index calls = 0;
  const auto wall = [&](const Vector& x, Vector& grad) {  // good at the start only
    ++calls;
    const double v = bowl(x, grad);
    return x(0) == 1.0 ? v : nan;
  };
  const auto r = minimize(wall, Vector{{1.0, -2.0}}, AdamOptions{.max_iterations = 1000, .max_retries = 4});
  EXPECT_EQ(r.status, Status::not_finite);
  EXPECT_EQ(r.retries, 4);
  EXPECT_EQ(calls, 10);  // start, fail, and four times: again the start, fail
  EXPECT_EQ(r.theta, (Vector{{1.0, -2.0}}));
  EXPECT_EQ(r.trouble, "the objective is not finite");
}

TEST(Adam, ABadStartIsReportedAtOnce) {
  Index calls = 0;
  const auto bad = [&](const Vector&, Vector&) {
    ++calls;
    return nan;
  };
  const auto r = minimize(bad, Vector{{1.0, -2.0}}, AdamOptions{});
  EXPECT_EQ(r.status, Status::not_finite);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(r.theta, (Vector{{1.0, -2.0}}));
  EXPECT_TRUE(std::isnan(r.value));
}

TEST(Adam, ABadFirstDrawOfAStochasticObjectiveIsDrawnAgain) {
  const StochasticObjective f = [](const Vector& x, Index step, Vector& grad) {
    const double v = bowl(x, grad);
    return step < 2 ? nan : v;
  };
  const auto r = minimize(f, Vector{{1.0, -2.0}}, AdamOptions{.max_iterations = 50});
  EXPECT_EQ(r.retries, 2);
  EXPECT_EQ(r.trace.size(), 48u);
  EXPECT_LT(r.trace.back().value, r.trace.front().value);
}

TEST(Adam, OtherErrorsPassThrough) {
  const auto broken = [](const Vector&, Vector&) -> double { throw std::logic_error("a bug"); };
  EXPECT_THROW(minimize(broken, Vector::Ones(2), AdamOptions{}), std::logic_error);
  const auto short_gradient = [](const Vector&, Vector& grad) {
    grad.resize(1);
    return 0.0;
  };
  EXPECT_THROW(minimize(short_gradient, Vector::Ones(2), AdamOptions{}), std::invalid_argument);
}

TEST(Adam, RefusesOptionsThatMakeNoSense) {
  const Vector x = Vector::Ones(2);
  EXPECT_THROW(minimize(bowl, x, AdamOptions{.step = 0}), std::domain_error);
  EXPECT_THROW(minimize(bowl, x, AdamOptions{.beta1 = 1.0}), std::domain_error);
  EXPECT_THROW(minimize(bowl, x, AdamOptions{.beta2 = -0.1}), std::domain_error);
  EXPECT_THROW(minimize(bowl, x, AdamOptions{.max_iterations = -1}), std::invalid_argument);
  EXPECT_THROW(minimize(bowl, x, AdamOptions{.smoothing = 0}), std::invalid_argument);
  EXPECT_THROW(minimize(bowl, Vector{{1.0, nan}}, AdamOptions{}), std::domain_error);
  EXPECT_THROW(minimize(bowl, Vector(), AdamOptions{}), std::invalid_argument);
}

}  // namespace
}  // namespace bochner::adam_test
