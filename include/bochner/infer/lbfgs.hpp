#pragma once
#include "bochner/infer/objective.hpp"
#include "bochner/infer/optimize_result.hpp"

namespace bochner {

struct LbfgsOptions {
  Index memory = 10;  // pairs (s, y) kept
  Index max_iterations = 1000;
  // Converged when the norm of the (projected) gradient is at most gradient_tolerance, when three iterations gained
  // at most value_tolerance * max(1, |value|), or when a line search fails that promised no more than that.
  double gradient_tolerance = 1e-6;
  double value_tolerance = 1e-12;
  Index max_line_search = 40;  // evaluations per line search, at most 50
  bool keep_trace = true;
};

/// lower <= theta <= upper, entry by entry; -inf and inf where there is no bound.
struct Bounds {
  Vector lower, upper;
};

// Limited-memory BFGS for deterministic objectives [liu1989], with bounds [byrd1995], through LBFGS++ (which
// is seen by one translation unit only). Unbounded: strong Wolfe conditions by bracketing, where a point that
// is not finite counts as too far; bounded: More-Thuente on the part of the ray where the objective is
// finite, never evaluating outside the bounds. After a failed line search the run restarts from its best point
// with an empty memory, until a restart makes no progress. The gradient norm reported is Euclidean, with bounds
// that of P(theta - grad) - theta in the maximum norm.

OptimizeResult minimize(const Objective& f, Vector theta, const LbfgsOptions& options,
                        const OnIteration& on = {});
OptimizeResult maximize(const Objective& f, Vector theta, const LbfgsOptions& options,
                        const OnIteration& on = {});
OptimizeResult minimize(const Objective& f, Vector theta, const Bounds& bounds, const LbfgsOptions& options,
                        const OnIteration& on = {});
OptimizeResult maximize(const Objective& f, Vector theta, const Bounds& bounds, const LbfgsOptions& options,
                        const OnIteration& on = {});

}  // namespace bochner
