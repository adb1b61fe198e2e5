// A stochastic run that falls away from its best goes back to it (AdamOptions::fall).
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "bochner/infer/adam.hpp"
#include "bochner/random/rng.hpp"

namespace bochner::adam_guard_test {
namespace {

/// Value |x|^2 / 2 with noise; from step 100 on its gradient leads away from the optimum, as that of a bound does when a step
/// throws the model into another basin.
StochasticObjective treacherous(double noise) {
  return [noise](const Vector& x, Index step, Vector& grad) {
    Rng rng = Rng(3).split(static_cast<std::uint64_t>(step));
    grad = step < 100 ? x : Vector(-x);
    return 0.5 * x.squaredNorm() + noise * rng.normal(1)(0);
  };
}

TEST(AdamGuard, StepsBackWhereTheObjectiveFallsAway) {
  const Vector start{{4.0, -3.0}};
  AdamOptions options{.step = 0.1, .max_iterations = 400, .tolerance = 1e-3, .patience = 80};
  const OptimizeResult lost = minimize(treacherous(0.01), start, options);
  EXPECT_GT(lost.theta.norm(), 2);  // where the gradient has led it, called converged or not
  options.fall = 1e-3;
  const OptimizeResult kept = minimize(treacherous(0.01), start, options);
  // The running mean lags behind: the state that is kept is no worse than the mean at its best.
  EXPECT_LT(0.5 * kept.theta.squaredNorm(), kept.value + 0.05);
  EXPECT_LT(kept.theta.norm(), 1);
  EXPECT_GT(kept.retries, 0);
  EXPECT_LT(kept.value, lost.value);
}

TEST(AdamGuard, ReportsNothingWorseThanTheBestOfItsTrace) {
  const Vector start{{4.0, -3.0}};
  const AdamOptions options{.step = 0.1, .max_iterations = 300, .fall = 1e-3};
  for (const double noise : {0.0, 0.01, 1.0}) {
    double best = std::numeric_limits<double>::infinity();
    const OptimizeResult result = minimize(treacherous(noise), start, options, [&](const Iteration& it) {
      if (it.number >= options.smoothing) best = std::min(best, it.smoothed);
      return true;
    });
    EXPECT_LE(result.value, best) << noise;
  }
}

TEST(AdamGuard, NoiseIsNoFall) {  // large noise around an optimum must not halve the step again and again
  const StochasticObjective f = [](const Vector& x, Index step, Vector& grad) {
    Rng rng = Rng(7).split(static_cast<std::uint64_t>(step));
    grad = x + 0.1 * rng.normal(2);
    return 0.5 * x.squaredNorm() + rng.normal(1)(0);
  };
  const OptimizeResult r =
      minimize(f, Vector{{4.0, -3.0}}, AdamOptions{.step = 0.05, .max_iterations = 2000, .fall = 1e-3});
  EXPECT_LE(r.retries, 1);
  EXPECT_LT(r.theta.norm(), 0.5);
}

TEST(AdamGuard,
     AntitheticNoiseIsNoFall) {  // pairs of steps that share their noise, as those of latent variable models
  Index fired = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const StochasticObjective flat = [seed](const Vector&, Index step, Vector& grad) {
      grad.setZero();
      Rng rng = Rng(seed).split(static_cast<std::uint64_t>(step / 2));
      return 1 + rng.normal(1)(0);
    };
    fired += minimize(flat, Vector{{1.0}}, AdamOptions{.max_iterations = 400, .fall = 1e-3}).retries > 0;
  }
  EXPECT_LE(fired, 3);
}

TEST(AdamGuard, AResumedRunHasTheBytesOfAWholeOne) {
  AdamOptions options{.step = 0.1, .max_iterations = 250, .fall = 1e-3};
  const OptimizeResult whole = minimize(treacherous(0.01), Vector{{4.0, -3.0}}, options);
  AdamRun run{.theta = Vector{{4.0, -3.0}}};
  OptimizeResult piece;
  for (const Index end : {30, 101, 115, 130, 250}) {
    options.max_iterations = end;
    piece = minimize(treacherous(0.01), run, options);
  }
  EXPECT_EQ(piece.theta, whole.theta);
  EXPECT_EQ(piece.value, whole.value);
}

}  // namespace
}  // namespace bochner::adam_guard_test
