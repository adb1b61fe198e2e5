#include "bochner/infer/lbfgs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "bochner/core/errors.hpp"
#include "targets.hpp"
#include "tests/support/gradient_check.hpp"

namespace bochner::lbfgs_test {
namespace {

using testing::Quadratic;
using testing::rosenbrock;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// Penalised logistic regression on 40 rows made of sines: 18 ones.
struct Logistic {
  Matrix X{40, 4};
  Vector y{40};

  Logistic() {
    for (Index n = 0; n < 40; ++n) {
      const double t = double(n);
      X.row(n) << 1.0, std::sin(0.7 * t + 0.3), std::cos(1.3 * t), 2 * std::sin(2.9 * t + 1.0);
      y(n) = std::sin(1.7 * t) + 0.8 * X(n, 1) - 0.5 * X(n, 3) > 0.1 ? 1.0 : 0.0;
    }
  }

  double operator()(const Vector& b, Vector& grad) const {
    const Vector z = X * b;
    const Vector p = (1 + (-z.array()).exp()).inverse();
    grad = X.transpose() * (p - y) + 0.1 * b;
    return ((1 + z.array().exp()).log() - y.array() * z.array()).sum() + 0.05 * b.squaredNorm();
  }
};

TEST(Lbfgs, FindsTheFloorOfRosenbrocksValley) {
  const Vector start{{-1.2, 1.0, -1.2, 1.0, -1.2, 1.0}};
  const auto r = minimize(rosenbrock, start, LbfgsOptions{.gradient_tolerance = 1e-10, .value_tolerance = 0});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LT((r.theta - Vector::Ones(6)).norm(), 1e-9);
  EXPECT_LT(r.iterations, 110);  // scipy's L-BFGS-B: 56 iterations, 67 evaluations at gtol 1e-8
  EXPECT_LT(r.evaluations, 160);
}

TEST(Lbfgs, SolvesAnIllConditionedQuadratic) {
  const Quadratic f = Quadratic::random(10, 1e6, 3);
  const auto r =
      minimize(f, Vector::Zero(10),
               LbfgsOptions{.max_iterations = 5000, .gradient_tolerance = 1e-8, .value_tolerance = 0});
  EXPECT_EQ(r.status, Status::converged) << to_string(r.status);
  EXPECT_LT(r.value - 3, 1e-11);  // rounding of the value ends it before the gradient does
  EXPECT_LT((r.theta - f.optimum).norm(), 5e-6);
}

// Pin: scipy 1.17.1 minimize(method="BFGS", gtol=1e-12), then Newton steps to a gradient of 3e-16.
TEST(Lbfgs, AgreesWithScipyOnLogisticRegression) {
  const Logistic f;
  ASSERT_EQ(f.y.sum(), 18);
  const auto r =
      minimize(f, Vector::Zero(4), LbfgsOptions{.gradient_tolerance = 1e-10, .value_tolerance = 0});
  const Vector pin{{-0.3776068690578017, 1.3413907539785392, 0.661309065905262, -1.3645527861322064}};
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LT((r.theta - pin).norm(), 1e-9);
  EXPECT_NEAR(r.value, 16.013759344885226, 1e-12);
  testing::expect_gradient(
      [&](const Vector& b) {
        Vector g(4);
        return f(b, g);
      },
      Vector::Ones(4),
      [&] {
        Vector g(4);
        f(Vector::Ones(4), g);
        return g;
      }());
}

// Pin: scipy 1.17.1 minimize(method="L-BFGS-B", ftol=1e-16, gtol=1e-12); its trust-constr agrees to 1e-7.
TEST(Lbfgs, AgreesWithScipyWithinBounds) {
  const Logistic f;
  const Bounds bounds{Vector{{-0.05, -inf, 0.2, -0.5}}, Vector{{0.4, 0.6, inf, 0.5}}};
  const auto r = minimize(f, Vector{{0.0, 3.0, 0.3, 0.0}}, bounds,
                          LbfgsOptions{.gradient_tolerance = 1e-10, .value_tolerance = 0});
  const Vector pin{{-0.05, 0.6, 0.35584008493861746, -0.5}};
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LT((r.theta - pin).norm(), 1e-8);
  EXPECT_NEAR(r.value, 19.646038770344383, 1e-11);
  EXPECT_EQ(r.theta(0), -0.05);
  EXPECT_EQ(r.theta(1), 0.6);
  EXPECT_EQ(r.theta(3), -0.5);
}

TEST(Lbfgs, NeverEvaluatesOutsideTheBounds) {
  // Many boxes: a step to a bound misses it by a rounding error in some of them.
  Rng rng(1);
  for (int i = 0; i < 300; ++i) {
    const Vector lower = rng.normal(3);
    const Bounds bounds{lower, lower + rng.uniform(3)};
    Index outside = 0;
    const auto f = [&](const Vector& x, Vector& grad) {
      outside += (x.array() < bounds.lower.array()).any() || (x.array() > bounds.upper.array()).any();
      return rosenbrock(x, grad);
    };
    const auto r = minimize(f, 3 * rng.normal(3), bounds, LbfgsOptions{});
    ASSERT_EQ(outside, 0) << i;
    EXPECT_EQ(r.status, Status::converged) << i << ": " << to_string(r.status);
    EXPECT_LE(r.gradient_norm, 1e-5) << i;
  }
}

TEST(Lbfgs, MaximizeIsMinimizeOfTheNegative) {
  const Logistic f;
  const auto hill = [&](const Vector& x, Vector& grad) {
    const double v = -f(x, grad);
    grad = -grad;
    return v;
  };
  const auto down = minimize(f, Vector::Ones(4), LbfgsOptions{});
  const auto up = maximize(hill, Vector::Ones(4), LbfgsOptions{});
  EXPECT_EQ(up.theta, down.theta);
  EXPECT_EQ(up.value, -down.value);
  EXPECT_EQ(up.trace.size(), down.trace.size());
  EXPECT_EQ(up.trace[2].value, -down.trace[2].value);
}

TEST(Lbfgs, TraceGoesDownAndEndsAtTheResult) {
  const auto r = minimize(rosenbrock, Vector{{-1.2, 1.0, 2.0}}, LbfgsOptions{});
  ASSERT_EQ(Index(r.trace.size()), r.iterations + 1);
  for (std::size_t i = 1; i < r.trace.size(); ++i) EXPECT_LE(r.trace[i].value, r.trace[i - 1].value);
  EXPECT_EQ(r.trace.back().value, r.value);
  EXPECT_EQ(r.trace.back().gradient_norm, r.gradient_norm);
  Vector grad(3);
  EXPECT_EQ(rosenbrock(r.theta, grad), r.value);
}

TEST(Lbfgs, StopsWhereItIsTold) {
  const Vector start{{-1.2, 1.0, -1.2, 1.0}};
  const auto by_callback =
      minimize(rosenbrock, start, LbfgsOptions{}, [](const Iteration& it) { return it.number < 5; });
  EXPECT_EQ(by_callback.status, Status::stopped_by_callback);
  EXPECT_EQ(by_callback.iterations, 5);
  const auto by_limit = minimize(rosenbrock, start, LbfgsOptions{.max_iterations = 5});
  EXPECT_EQ(by_limit.status, Status::iteration_limit);
  EXPECT_EQ(by_limit.iterations, 5);
  EXPECT_EQ(by_limit.theta, by_callback.theta);
}

TEST(Lbfgs, StartAtTheOptimumIsConverged) {
  const auto r = minimize(rosenbrock, Vector::Ones(3), LbfgsOptions{});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.evaluations, 1);
  EXPECT_EQ(r.iterations, 0);
}

TEST(Lbfgs, EndsByFlatnessWhenTheGradientCannotReachItsTolerance) {
  const Quadratic q = Quadratic::random(6, 1e3, 4);
  const auto f = [&](const Vector& x, Vector& grad) { return 1e8 + q(x, grad); };
  const auto r = minimize(f, Vector::Zero(6), LbfgsOptions{.gradient_tolerance = 0.0});
  EXPECT_EQ(r.status, Status::converged) << to_string(r.status);
  EXPECT_LT(r.value - (1e8 + 3), 1e-2);  // three iterations gained less than 1e-12 * 1e8
}

// ------------------------------------------------------------------------------------------ the not-finite
// guard

/// x - log x, one for each entry: least at 1; undefined for x <= 0, where a long first step lands.
double barrier(const Vector& x, Vector& grad) {
  grad = 1 - x.array().inverse();
  return (x.array() - x.array().log()).sum();  // NaN for negative x
}

TEST(Lbfgs, WalksAroundWhereTheObjectiveIsNotFinite) {
  Index bad = 0;
  const auto f = [&](const Vector& x, Vector& grad) {
    if (x.minCoeff() <= 0) ++bad;
    return barrier(x, grad);
  };
  const Vector start{{0.3, 40.0, 5.0}};
  const auto r = minimize(f, start, LbfgsOptions{.gradient_tolerance = 1e-9});
  EXPECT_GT(bad, 0);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LT((r.theta - Vector::Ones(3)).norm(), 1e-8);
  EXPECT_EQ(r.trouble, "the objective is not finite");

  bad = 0;
  const Bounds none{Vector::Constant(3, -inf), Vector::Constant(3, inf)};
  const auto b = minimize(f, start, none, LbfgsOptions{.gradient_tolerance = 1e-9});
  EXPECT_GT(bad, 0);
  EXPECT_EQ(b.status, Status::converged) << to_string(b.status);
  EXPECT_LT((b.theta - Vector::Ones(3)).norm(), 1e-8);
}

TEST(Lbfgs, WalksAroundNumericalErrors) {
  const auto f = [&](const Vector& x, Vector& grad) {
    if (x.minCoeff() <= 0) throw NumericalError("the matrix is not positive definite");
    return barrier(x, grad);
  };
  const auto r = minimize(f, Vector{{0.3, 40.0, 5.0}}, LbfgsOptions{.gradient_tolerance = 1e-9});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LT((r.theta - Vector::Ones(3)).norm(), 1e-8);
  EXPECT_EQ(r.trouble, "the matrix is not positive definite");
}

TEST(Lbfgs, NanFromACallOnLeavesTheBestState) {
  const Vector start{{-1.2, 1.0, -1.2}};
  const Bounds wide{Vector::Constant(3, -9.0), Vector::Constant(3, 9.0)};
  Index best_was_a_trial = 0;
  for (const bool bounded : {false, true})
    for (Index good_calls = 1; good_calls < 35; ++good_calls) {
      Index calls = 0;
      double best = inf;
      Vector best_x;
      const auto f = [&](const Vector& x, Vector& grad) {
        const double v = rosenbrock(x, grad);
        if (++calls > good_calls) return nan;
        if (v < best) best_x = x, best = v;
        return v;
      };
      const auto r = bounded ? minimize(f, start, wide, LbfgsOptions{}) : minimize(f, start, LbfgsOptions{});
      EXPECT_TRUE(r.status == Status::not_finite || r.status == Status::line_search_failed)
          << to_string(r.status);
      EXPECT_EQ(r.value, best) << good_calls;
      EXPECT_EQ(r.theta, best_x) << good_calls;
      EXPECT_LT(calls, good_calls + 100);
      EXPECT_EQ(r.trouble, "the objective is not finite");
      best_was_a_trial += r.trace.back().value != best;
    }
  EXPECT_GT(best_was_a_trial, 0);
}

TEST(Lbfgs, ABadStartIsReportedAtOnce) {
  Index calls = 0;
  const auto r = minimize(
      [&](const Vector&, Vector&) {
        ++calls;
        return nan;
      },
      Vector::Ones(2), LbfgsOptions{});
  EXPECT_EQ(r.status, Status::not_finite);
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(r.theta, Vector::Ones(2));
  EXPECT_TRUE(std::isnan(r.value));
}

TEST(Lbfgs, AGradientOfTheWrongSignEndsWithAFailedLineSearch) {
  for (const double scale : {1.0, 1e-9}) {  // also when there is nearly nothing to gain in absolute terms
    const auto wrong = [&](const Vector& x, Vector& grad) {
      const double v = rosenbrock(x, grad);
      grad *= -scale;
      return scale * v;
    };
    const Vector start{{-1.2, 1.0}};
    Vector grad(2);
    const auto r = minimize(wrong, start, LbfgsOptions{.gradient_tolerance = 0});
    EXPECT_EQ(r.status, Status::line_search_failed) << to_string(r.status);
    EXPECT_LE(r.value, scale * rosenbrock(start, grad));
  }
}

TEST(Lbfgs, NoiseInTheValueBelowTheToleranceIsNotAFailure) {
  // Values from an iterative solver: good to 1e-9, gradients exact. Near the optimum a line search cannot succeed.
  Index ended_in_a_search = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Quadratic q = Quadratic::random(3, 30, seed);
    const auto f = [&](const Vector& x, Vector& grad) {
      const double v = q(x, grad);
      return v + 1e-9 * std::sin(1e9 * x.sum());
    };
    const auto r =
        minimize(f, Vector::Zero(3), LbfgsOptions{.gradient_tolerance = 0, .value_tolerance = 1e-8});
    EXPECT_EQ(r.status, Status::converged) << seed << ": " << to_string(r.status);
    EXPECT_LT(r.value - 3, 1e-6);
    ended_in_a_search += r.evaluations > r.iterations + 20;
  }
  EXPECT_GT(ended_in_a_search, 0);
}

TEST(Lbfgs, MinusInfinityIsNotAMinimum) {
  const auto pit = [](const Vector& x, Vector& grad) {  // log of nothing, reached by walking downhill
    grad = x;
    return x.norm() < 0.5 ? -inf : 0.5 * x.squaredNorm();
  };
  const auto r = minimize(pit, Vector{{2.0, 1.0}}, LbfgsOptions{.max_iterations = 20});
  EXPECT_TRUE(std::isfinite(r.value));
  EXPECT_GE(r.theta.norm(), 0.5);
  EXPECT_EQ(r.trouble, "the objective is not finite");
}

TEST(Lbfgs, OtherErrorsPassThrough) {
  Index calls = 0;
  const auto broken = [&](const Vector& x, Vector& grad) {
    if (++calls == 4)
      throw std::runtime_error("a bug");  // the type that the library uses for its own failures
    return rosenbrock(x, grad);
  };
  EXPECT_THROW(minimize(broken, Vector{{-1.2, 1.0}}, LbfgsOptions{}), std::runtime_error);
  const auto stop = [](const Iteration& it) -> bool {
    if (it.number == 2) throw InputError("interrupted");
    return true;
  };
  EXPECT_THROW(minimize(rosenbrock, Vector{{-1.2, 1.0}}, LbfgsOptions{}, stop), InputError);
}

TEST(Lbfgs, RefusesOptionsThatMakeNoSense) {
  const Vector x = Vector::Ones(2);
  EXPECT_THROW(minimize(rosenbrock, x, LbfgsOptions{.memory = 0}), std::invalid_argument);
  EXPECT_THROW(minimize(rosenbrock, x, LbfgsOptions{.max_iterations = 0}), std::invalid_argument);
  EXPECT_THROW(minimize(rosenbrock, x, LbfgsOptions{.max_line_search = 60}), std::domain_error);
  EXPECT_THROW(minimize(rosenbrock, Vector{{nan, 0.0}}, LbfgsOptions{}), std::domain_error);
  EXPECT_THROW(minimize(rosenbrock, x, Bounds{x, Vector::Zero(2)}, LbfgsOptions{}), std::domain_error);
  EXPECT_THROW(minimize(rosenbrock, x, Bounds{Vector::Zero(3), Vector::Ones(3)}, LbfgsOptions{}),
               std::invalid_argument);
}

}  // namespace
}  // namespace bochner::lbfgs_test
