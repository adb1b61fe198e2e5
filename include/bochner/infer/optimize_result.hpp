#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// Why an optimiser stopped. Not converging is an answer, not an error: `theta` is usable in every case.
enum class Status { converged, iteration_limit, stopped_by_callback, line_search_failed, not_finite };

const char* to_string(Status status);
/// to_string and back; InputError for anything else.
Status parse_status(const std::string& text);

/// One finished iteration. Number 0 is the starting point for L-BFGS and the first evaluation for Adam.
struct Iteration {
  Index number = 0;
  double value = 0;          // of the objective, in the caller's sign
  double gradient_norm = 0;  // Euclidean; projected where there are bounds or a manifold
  double step = 0;           // step size in use
  double smoothed = 0;       // running mean of the values of a stochastic objective, else the value
};

/// Called after each iteration; return false to stop.
using OnIteration = std::function<bool(const Iteration&)>;
inline bool keep_going(const OnIteration& f, const Iteration& it) { return !f || f(it); }

template <class Point>
struct OptimizeResultOf {
  Point theta;
  double value = 0;  // at theta; a running mean for a stochastic objective; NaN if nothing was ever finite
  Status status = Status::iteration_limit;
  Index iterations = 0;
  Index evaluations = 0;         // of the objective, in this call
  double gradient_norm = 0;      // as in Iteration
  Index retries = 0;             // Adam: steps back to the best state; L-BFGS: restarts with an empty memory
  std::string trouble;           // what the last evaluation that failed said; empty if none did
  std::vector<Iteration> trace;  // of this call, if asked for
};

using OptimizeResult = OptimizeResultOf<Vector>;
using StiefelResult = OptimizeResultOf<Matrix>;

}  // namespace bochner
