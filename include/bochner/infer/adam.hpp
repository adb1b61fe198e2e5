#pragma once
#include <functional>
#include <limits>

#include "bochner/compute/compute.hpp"
#include "bochner/infer/descent.hpp"
#include "bochner/infer/objective.hpp"
#include "bochner/infer/optimize_result.hpp"
#include "bochner/infer/step_schedule.hpp"

namespace bochner {

struct AdamOptions {
  double step = 1e-2, beta1 = 0.9, beta2 = 0.999, eps = 1e-8;  // [kingma2015, Alg. 1]
  StepSchedule schedule = ConstantStep{};
  Index max_iterations = 1000;

  // Converged when the gradient norm is at most gradient_tolerance (of use for deterministic objectives
  // only), or when for `patience` iterations the objective f has not fallen by more than tolerance * max(1, |f|).
  // A stochastic objective is judged by a running mean over about `smoothing` iterations.
  double gradient_tolerance = 0.0;
  double tolerance = 1e-6;
  Index patience = 0;  // 0: never stop for flatness
  Index smoothing = 50;

  // Where an evaluation is not finite: so many steps back to the best state, each with half the step size. The same where
  // the running mean of a stochastic objective has fallen away from its best by more than fall * max(1, |f|), and by more
  // than noise explains; a run with such a guard gives back the best state by running mean, never a worse one.
  Index max_retries = 10;
  double fall = std::numeric_limits<double>::infinity();
  bool keep_trace = true;

  // The length of a step in each coordinate, as a multiple of `step`, where theta is now; absent: 1 everywhere. Adam knows the
  // sign of a gradient and how much it varies, but not the scale on which the objective changes.
  std::function<Vector(const Vector& theta)> units{};
};

/// [kingma2015, Alg. 1], t = 1, 2, ...:
///
///     m <- beta1 m + (1 - beta1) g,   v <- beta2 v + (1 - beta2) g^2
///     theta <- theta - step (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
struct AdamState {
  Vector m, v;      // first and second moments; empty before the first step
  Index count = 0;  // t

  /// One step downhill of size options.step * factor. Depends on nothing but its arguments and the state.
  void step(VectorOut theta, VectorIn grad, const AdamOptions& options, double factor = 1.0);
  /// The same bytes, the entries shared out over threads. A negative factor goes uphill.
  void step(VectorOut theta, VectorIn grad, const AdamOptions& options, double factor,
            const Compute& compute);
};

using AdamRun = Descent<Vector, AdamState>;

// A deterministic objective gives back the best point evaluated; a stochastic one the last point reached,
// because single noisy values cannot rank points (and the best by running mean after a breakdown, or with a guard).
// With an AdamRun the call continues where the run stands and leaves it ready to be continued:
//
//     AdamRun run{.theta = theta0};
//     minimize(f, run, options, stop_at_a_checkpoint);  // save `run`, load it next week ...
//     minimize(f, run, options);                        // ... and get the bytes of a run that never stopped

OptimizeResult minimize(const Objective& f, Vector theta, const AdamOptions& options,
                        const OnIteration& on = {});
OptimizeResult maximize(const Objective& f, Vector theta, const AdamOptions& options,
                        const OnIteration& on = {});
OptimizeResult minimize(const Objective& f, AdamRun& run, const AdamOptions& options,
                        const OnIteration& on = {});
OptimizeResult maximize(const Objective& f, AdamRun& run, const AdamOptions& options,
                        const OnIteration& on = {});

OptimizeResult minimize(const StochasticObjective& f, Vector theta, const AdamOptions& options,
                        const OnIteration& on = {});
OptimizeResult maximize(const StochasticObjective& f, Vector theta, const AdamOptions& options,
                        const OnIteration& on = {});
OptimizeResult minimize(const StochasticObjective& f, AdamRun& run, const AdamOptions& options,
                        const OnIteration& on = {});
OptimizeResult maximize(const StochasticObjective& f, AdamRun& run, const AdamOptions& options,
                        const OnIteration& on = {});

}  // namespace bochner
