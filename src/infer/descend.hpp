#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/infer/descent.hpp"
#include "bochner/infer/optimize_result.hpp"
#include "bochner/infer/step_schedule.hpp"

// The loop that Adam and Cayley-Adam share.
namespace bochner::detail {

template <class Point>
using Estimate = std::function<double(const Point& theta, Index step, Point& grad)>;

/// One evaluation, in the sign that is minimised.
template <class Point>
struct Evaluation {
  double value = 0;
  Point grad;
  bool usable = false;
  std::string trouble;
};

template <class Point>
void negate(Point& point) {
  point = -point;
}

template <class Point>
void evaluate(const Estimate<Point>& f, double sign, const Point& theta, Index step, Evaluation<Point>& out) {
  out.grad.setZero(theta.rows(), theta.cols());
  out.usable = false;
  try {
    out.value = sign * f(theta, step, out.grad);
  } catch (const NumericalError& error) {
    out.trouble = error.what();
    return;
  }
  check_size("minimize", "rows of the gradient", out.grad.rows(), "rows of theta", theta.rows());
  check_size("minimize", "columns of the gradient", out.grad.cols(), "columns of theta", theta.cols());
  // The second moment sees the square: a gradient whose square overflows would freeze it at infinity.
  out.usable = std::isfinite(out.value) && std::isfinite(out.grad.squaredNorm());
  if (!out.usable)
    out.trouble = std::isfinite(out.value) ? "the gradient is not finite" : "the objective is not finite";
  if (sign < 0) negate(out.grad);  // points that are no matrices bring one of their own
}

template <class Options>
void check_descent(const char* function, const Options& options) {
  check_positive(function, "step", options.step);
  check_between(function, "beta1", options.beta1, 0.0, 1.0 - 1e-12);
  check_between(function, "beta2", options.beta2, 0.0, 1.0 - 1e-12);
  check_positive(function, "eps", options.eps);
  check_schedule(function, options.schedule);
  check_at_least(function, "max_iterations", options.max_iterations, 0);
  check_non_negative(function, "gradient_tolerance", options.gradient_tolerance);
  check_non_negative(function, "tolerance", options.tolerance);
  check_at_least(function, "patience", options.patience, 0);
  check_at_least(function, "smoothing", options.smoothing, 1);
  check_at_least(function, "max_retries", options.max_retries, 0);
}

template <class Point, class State>
void step_back(Descent<Point, State>& run) {
  run.theta = run.best_theta;
  run.state = run.best_state;
}

/// Back to the best state with half the step size; false if that is not allowed any more. Before any state
/// was good, a stochastic objective may be luckier with its next draw; a deterministic one cannot.
template <class Point, class State>
bool retreat(Descent<Point, State>& run, bool stochastic, Index max_retries) {
  const bool has_best = std::isfinite(run.best_value);
  if (run.retries >= max_retries || (!has_best && !stochastic)) return false;
  ++run.retries;
  if (has_best) step_back(run);
  return true;
}

/// Whether the running mean is worse than its best by more than `fall` allows and noise explains. Values two steps apart share
/// the trend but not the noise, also where neighbours are antithetic, so half the mean square of their differences is its
/// variance. A running mean over about n values has at most 1 / n of that: 1 / (2 n) if they are independent, twice as much if
/// they come in pairs that share it.
template <class Point, class State>
bool has_fallen(const Descent<Point, State>& run, double fall, Index smoothing) {
  constexpr double standard_errors = 7;  // the best of some hundred running means is a lucky one
  const double se = std::sqrt(run.noise / double(smoothing));
  return run.smoothed >
         run.best_value + std::max(fall * std::max(1.0, std::abs(run.best_value)), standard_errors * se);
}

/// True when `judged` has made no progress for `patience` iterations.
template <class Point, class State>
bool is_flat(Descent<Point, State>& run, double judged, double tolerance, Index patience) {
  const bool progress = !std::isfinite(run.flat_value) ||
                        judged < run.flat_value - tolerance * std::max(1.0, std::abs(run.flat_value));
  if (progress) run.flat_value = judged;
  run.flat_for = progress ? 0 : run.flat_for + 1;
  return patience > 0 && run.flat_for >= patience;
}

/// What a point is made of: how to measure a gradient there, and how to step downhill.
template <class Point, class State>
struct Geometry {
  std::function<double(const Point& theta, const Point& grad)> gradient_norm;
  std::function<void(State& state, Point& theta, const Point& grad, double factor)> step;
};

/// A new value enters the running mean and the estimate of its noise.
template <class Point, class State>
void smooth(Descent<Point, State>& run, double value, bool stochastic, Index smoothing) {
  if (run.smoothing_weight > 1.5) {  // two values or more
    const double jump = value - run.before_previous;
    run.noise += (0.5 * jump * jump - run.noise) / run.smoothing_weight;
  }
  run.before_previous = run.previous;
  run.previous = value;
  run.smoothing_weight = (1.0 - 1.0 / double(smoothing)) * run.smoothing_weight + 1.0;
  run.smoothed = stochastic ? run.smoothed + (value - run.smoothed) / run.smoothing_weight : value;
}

template <class Point, class State>
void keep_as_best(Descent<Point, State>& run, double gradient_norm) {
  run.best_theta = run.theta;
  run.best_state = run.state;
  run.best_value = run.smoothed;
  run.best_gradient_norm = gradient_norm;
}

/// What the run gives: its best state where values can be compared, else the last one.
template <class Point, class State>
void finish(const Descent<Point, State>& run, bool comparable, double sign, OptimizeResultOf<Point>& result) {
  const bool has_best = std::isfinite(run.best_value);
  const bool give_best = has_best && (comparable || result.status == Status::not_finite);
  result.theta = give_best ? run.best_theta : run.theta;
  result.value = !has_best ? std::nan("") : sign * (give_best ? run.best_value : run.smoothed);
  if (give_best) result.gradient_norm = run.best_gradient_norm;
  result.iterations = run.iteration;
  result.retries = run.retries + run.falls;
}

template <class Point, class State, class Options>
OptimizeResultOf<Point> descend(const Estimate<Point>& f, bool stochastic, double sign,
                                const Geometry<Point, State>& geometry, Descent<Point, State>& run,
                                const Options& options, const OnIteration& on_iteration) {
  OptimizeResultOf<Point> result;
  Evaluation<Point> at;
  result.gradient_norm = run.best_gradient_norm;
  double fall = std::numeric_limits<double>::infinity();
  if constexpr (requires { options.fall; }) fall = options.fall;
  const bool guarded = stochastic && std::isfinite(fall);
  while (run.iteration < options.max_iterations) {
    const Index number = run.iteration++;
    evaluate(f, sign, run.theta, number, at);
    ++result.evaluations;
    if (!at.usable) {
      if (retreat(run, stochastic, options.max_retries)) continue;
      result.status = Status::not_finite;
      break;
    }
    smooth(run, at.value, stochastic, options.smoothing);
    const double norm = geometry.gradient_norm(run.theta, at.grad);
    result.gradient_norm = norm;
    // Near an optimum values differ by rounding alone, so the best of them may lie sqrt(eps) away.
    const bool stationary = norm <= options.gradient_tolerance;
    // A mean over a few values is mostly luck: until there are enough of them, the latest state is the best.
    const bool few = guarded && run.smoothing_weight < 0.5 * double(options.smoothing);
    if (stationary || few || run.smoothed < run.best_value) keep_as_best(run, norm);
    if (guarded && run.falls < options.max_retries && has_fallen(run, fall, options.smoothing)) {
      ++run.falls;
      step_back(run);
      run.smoothed = run.previous = run.before_previous = run.best_value;
      run.flat_for = 0;  // the smaller step has its own chance
      continue;
    }
    const double factor = std::ldexp(step_factor(options.schedule, number, options.max_iterations),
                                     -int(run.retries + run.falls));
    const bool flat = is_flat(run, run.smoothed, options.tolerance, options.patience);
    if (!stationary) geometry.step(run.state, run.theta, at.grad, factor);

    // The callback comes after the step: a run that it stops can be resumed.
    const Iteration iteration{number, sign * at.value, norm, options.step * factor, sign * run.smoothed};
    if (options.keep_trace) result.trace.push_back(iteration);
    const bool stop = !keep_going(on_iteration, iteration);
    if (stationary || flat) {
      result.status = Status::converged;
      break;
    }
    if (stop) {
      result.status = Status::stopped_by_callback;
      break;
    }
  }
  finish(run, !stochastic || guarded, sign, result);
  result.trouble = std::move(at.trouble);
  return result;
}

}  // namespace bochner::detail
