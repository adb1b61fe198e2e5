#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/infer/descent.hpp"
#include "bochner/infer/objective.hpp"
#include "bochner/infer/optimize_result.hpp"
#include "bochner/infer/step_schedule.hpp"

namespace bochner {

struct CayleyAdamOptions {
  double step = 2e-3, beta1 = 0.9, beta2 = 0.99, eps = 1e-8;
  double contraction = 0.5;          // q in step <= 2 q / |W|
  Index fixed_point_iterations = 0;  // 0: the exact transform; li2020 iterates twice, paper 002 five times
  double orthonormality_tolerance = 1e-13;  // max |X'X - I| beyond this is polished away

  StepSchedule schedule = ConstantStep{};
  Index max_iterations = 10'000;
  double gradient_tolerance = 0.0;  // on the norm of the gradient on the manifold
  double tolerance = 1e-6;          // flatness, as in AdamOptions
  Index patience = 0;
  Index smoothing = 50;
  Index max_retries = 10;
  bool keep_trace = true;
};

/// Adam on the Stiefel manifold, with one second moment for the whole matrix [li2020, Alg. 2]. G = df/dX:
///
///     M <- beta1 M + (1 - beta1) G,   v <- beta2 v + (1 - beta2) |G|_F^2
///     r = (1 - beta1^t) sqrt(v / (1 - beta2^t) + eps)
///     A = (M - X X'M / 2) / r,   W = A X' - X A'      skew: (I + aW/2)^-1 (I - aW/2) is orthogonal
///     M <- r W X                                      the momentum, back in the tangent space
///     a = min(step, 2 q / (|W| + eps)),   X <- (I + aW/2)^-1 (I - aW/2) X
///
/// W (n x n) is never formed: W = [A, X] [X, -A]' has rank 2p, and the exact transform costs O(n p^2 + p^3)
/// [wen2013, Lem. 4], less than a few fixed-point iterations. |W| is the Frobenius norm, from p x p products;
/// li2020 takes the 1-norm at O(n^2 p). Both bound the spectral norm, and at the usual steps neither binds.
struct CayleyAdamState {
  Matrix momentum;  // n x p, empty before the first step
  double v = 0;
  Index count = 0;

  /// One step downhill of size options.step * factor; X stays orthonormal to orthonormality_tolerance.
  void step(MatrixOut X, MatrixIn grad, const CayleyAdamOptions& options, double factor = 1.0,
            const Compute& compute = Compute());
};

using CayleyAdamRun = Descent<Matrix, CayleyAdamState>;

// As for Adam (adam.hpp); the start must be orthonormal to 1e-6 (stiefel.hpp makes one) and is polished.

StiefelResult minimize(const StiefelObjective& f, Matrix X, const CayleyAdamOptions& options,
                       const OnIteration& on = {}, const Compute& compute = Compute());
StiefelResult maximize(const StiefelObjective& f, Matrix X, const CayleyAdamOptions& options,
                       const OnIteration& on = {}, const Compute& compute = Compute());
StiefelResult minimize(const StiefelObjective& f, CayleyAdamRun& run, const CayleyAdamOptions& options,
                       const OnIteration& on = {}, const Compute& compute = Compute());
StiefelResult maximize(const StiefelObjective& f, CayleyAdamRun& run, const CayleyAdamOptions& options,
                       const OnIteration& on = {}, const Compute& compute = Compute());

StiefelResult minimize(const StochasticStiefelObjective& f, Matrix X, const CayleyAdamOptions& options,
                       const OnIteration& on = {}, const Compute& compute = Compute());
StiefelResult maximize(const StochasticStiefelObjective& f, Matrix X, const CayleyAdamOptions& options,
                       const OnIteration& on = {}, const Compute& compute = Compute());
StiefelResult minimize(const StochasticStiefelObjective& f, CayleyAdamRun& run,
                       const CayleyAdamOptions& options, const OnIteration& on = {},
                       const Compute& compute = Compute());
StiefelResult maximize(const StochasticStiefelObjective& f, CayleyAdamRun& run,
                       const CayleyAdamOptions& options, const OnIteration& on = {},
                       const Compute& compute = Compute());

}  // namespace bochner
