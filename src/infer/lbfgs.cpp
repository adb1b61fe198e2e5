#include "bochner/infer/lbfgs.hpp"

#include <LBFGS.h>
#include <LBFGSB.h>

#include <cmath>
#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {
namespace {

/// Thrown through the library to leave it: it has no hook to stop it. Not a std::exception, so that what the
/// library throws itself (a failed line search) and what passes through it cannot be confused.
struct Leave {
  Status status = Status::stopped_by_callback;
  std::exception_ptr error;  // of the objective or the callback, to be thrown again outside
};

struct Point {
  Vector theta;
  double value = std::numeric_limits<double>::infinity();
  Vector grad;
};

/// The objective as the library sees it, in the sign that is minimised. Remembers the last accepted point,
/// the best trial of the search under way, and why trials failed.
class Monitor {
 public:
  Monitor(const Objective& f, double sign, const Bounds* bounds, const LbfgsOptions& options,
          const OnIteration& on)
      : f_(f), sign_(sign), bounds_(bounds), options_(options), on_(on) {}

  double operator()(const Vector& x, Vector& grad) {
    if (cached_.theta.size() == x.size() && cached_.theta == x) {
      grad = cached_.grad;
      return cached_.value;
    }
    const bool first = !current_;
    cached_ = evaluate(x);
    if (std::isfinite(cached_.value)) any_finite_ = true;
    if (first) {
      if (!std::isfinite(cached_.value)) throw Leave{Status::not_finite, nullptr};
      accept(cached_, 0.0);
    } else if (cached_.value < trial_.value) {
      trial_ = cached_;
    }
    grad = cached_.grad;
    return cached_.value;
  }

  /// The library starts with an empty memory, so its first direction is not a Newton direction; and it starts where
  /// a restart left off, so the first evaluation is known already.
  void begin_run() {
    newton_ = false;
    if (current_) cached_ = *current_;
  }

  void begin_search(const Vector& direction) {
    if (!direction.allFinite()) throw std::runtime_error("the search direction is not finite");
    trial_ = Point{};
    any_finite_ = false;
    // Half the slope is what a Newton step promises to gain.
    promised_ = newton_ ? -0.5 * current_->grad.dot(direction) : std::numeric_limits<double>::infinity();
    newton_ = true;
  }

  /// More-Thuente may hand over the end of the ray although it lies higher: that search failed too.
  void end_search(const Vector& x, double step) {
    if (!(cached_.theta == x && cached_.value <= current_->value))
      throw std::runtime_error("the line search did not go downhill");
    ++accepted_;
    accept(cached_, step);
  }

  /// After a failed search: keep its best trial if that was better than where it began.
  void adopt_trial() {
    if (trial_.value < current_->value) set_current(trial_);
  }

  /// The search failed where the model of the objective promised less than the tolerance asks for.
  bool nothing_left_to_gain() const {
    return promised_ <= options_.value_tolerance * std::max(1.0, std::abs(current_->value));
  }

  double gradient_norm(const Point& at) const {
    if (!bounds_) return at.grad.norm();
    return (clamp(at.theta - at.grad) - at.theta).cwiseAbs().maxCoeff();
  }

  Index accepted() const { return accepted_; }
  bool any_finite() const { return any_finite_; }
  const std::optional<Point>& current() const { return current_; }
  OptimizeResult result;

 private:
  Vector clamp(const Vector& x) const { return x.cwiseMax(bounds_->lower).cwiseMin(bounds_->upper); }

  /// Where the objective is not finite the value is NaN, which the line searches know (they would walk to -inf).
  Point evaluate(const Vector& x) {
    Point at{x, 0.0, Vector::Zero(x.size())}, nothing = at;
    nothing.value = std::numeric_limits<double>::quiet_NaN();
    ++result.evaluations;
    try {
      // x + step * direction may leave the bounds by a rounding error, enough for the log of a negative number.
      at.value = sign_ * f_(bounds_ ? clamp(x) : x, at.grad);
      check_size("minimize(LbfgsOptions)", "size of the gradient", at.grad.size(), "size of theta", x.size());
    } catch (const NumericalError& error) {
      result.trouble = error.what();
      return nothing;
    } catch (...) {
      throw Leave{Status::not_finite, std::current_exception()};
    }
    if (!std::isfinite(at.value) || !at.grad.allFinite()) {
      result.trouble = std::isfinite(at.value) ? "the gradient is not finite" : "the objective is not finite";
      return nothing;
    }
    at.grad *= sign_;
    return at;
  }

  void set_current(const Point& at) {
    current_ = at;
    if (bounds_) current_->theta = clamp(at.theta);
  }

  void accept(const Point& at, double step) {
    set_current(at);
    const Iteration iteration{accepted_, sign_ * at.value, gradient_norm(*current_), step};
    if (options_.keep_trace) result.trace.push_back(iteration);
    bool go = true;
    try {
      go = keep_going(on_, iteration);
    } catch (...) {
      throw Leave{Status::stopped_by_callback, std::current_exception()};
    }
    if (!go) throw Leave{Status::stopped_by_callback, nullptr};
  }

  const Objective& f_;
  double sign_;
  const Bounds* bounds_;
  const LbfgsOptions& options_;
  const OnIteration& on_;
  std::optional<Point> current_;
  Point cached_, trial_;
  bool any_finite_ = false, newton_ = false;
  double promised_ = 0;
  Index accepted_ = 0;
};

template <class Scalar>
struct Search {
  static void LineSearch(Monitor& f, Scalar& fx, Vector& x, Vector& grad, Scalar& step,
                         const Vector& direction, const Vector& from,
                         const LBFGSpp::LBFGSParam<Scalar>& param) {
    f.begin_search(direction);
    LBFGSpp::LineSearchBracketing<Scalar>::LineSearch(f, fx, x, grad, step, direction, from, param);
    f.end_search(x, step);
  }
};

template <class Scalar>
struct BoundedSearch {
  static void LineSearch(Monitor& f, Scalar& fx, Vector& x, Vector& grad, Scalar& step,
                         const Scalar& step_max, const Vector& direction, const Vector& from,
                         const LBFGSpp::LBFGSBParam<Scalar>& param) {
    f.begin_search(direction);
    // More-Thuente interpolates through NaN into NaN steps: end the ray where the objective is finite.
    Scalar limit = step_max;
    Vector scratch(grad.size());
    for (int i = 0; i < param.max_linesearch; ++i) {
      x = from + step * direction;
      if (std::isfinite(f(x, scratch))) break;
      step *= 0.5;
      limit = step;
    }
    LBFGSpp::LineSearchMoreThuente<Scalar>::LineSearch(f, fx, x, grad, step, limit, direction, from, param);
    f.end_search(x, step);
  }
};

template <class Param>
Param library_parameters(const LbfgsOptions& options, Index iterations_left) {
  Param p;
  p.m = int(options.memory);
  p.epsilon = options.gradient_tolerance;
  p.epsilon_rel = 0;
  p.past = 3;
  p.delta = options.value_tolerance;
  p.max_iterations = int(iterations_left);
  p.max_linesearch = int(options.max_line_search);
  return p;
}

void solve(Monitor& monitor, Vector x, const Bounds* bounds, const LbfgsOptions& options,
           Index iterations_left) {
  double value = 0;
  monitor.begin_run();
  if (bounds) {
    const auto param = library_parameters<LBFGSpp::LBFGSBParam<double>>(options, iterations_left);
    LBFGSpp::LBFGSBSolver<double, BoundedSearch>(param).minimize(monitor, x, value, bounds->lower,
                                                                 bounds->upper);
  } else {
    auto param = library_parameters<LBFGSpp::LBFGSParam<double>>(options, iterations_left);
    param.linesearch = LBFGSpp::LBFGS_LINESEARCH_BACKTRACKING_STRONG_WOLFE;
    LBFGSpp::LBFGSSolver<double, Search>(param).minimize(monitor, x, value);
  }
}

Status run(Monitor& monitor, Vector x, const Bounds* bounds, const LbfgsOptions& options) {
  for (;;) {
    const Index before = monitor.accepted();
    try {
      solve(monitor, x, bounds, options, options.max_iterations - before);
      const bool stationary = monitor.gradient_norm(*monitor.current()) <= options.gradient_tolerance;
      return stationary || monitor.accepted() < options.max_iterations ? Status::converged
                                                                       : Status::iteration_limit;
    } catch (const Leave& leave) {
      if (leave.error) std::rethrow_exception(leave.error);
      return leave.status;
    } catch (const std::runtime_error&) {  // the library: its line search found nothing
    } catch (const std::logic_error&) {    // the library: its direction leads uphill
    }
    monitor.adopt_trial();
    if (monitor.nothing_left_to_gain()) return Status::converged;
    if (monitor.accepted() >= options.max_iterations) return Status::iteration_limit;
    if (monitor.accepted() == before)
      return monitor.any_finite() ? Status::line_search_failed : Status::not_finite;
    ++monitor.result.retries;
    x = monitor.current()->theta;
  }
}

void check_bounds(const char* function, const Bounds& bounds, Index size) {
  check_size(function, "size of bounds.lower", bounds.lower.size(), "size of theta", size);
  check_size(function, "size of bounds.upper", bounds.upper.size(), "size of theta", size);
  for (Index i = 0; i < size; ++i)  // false for NaN as well
    if (!(bounds.lower(i) <= bounds.upper(i)))
      throw std::domain_error(std::string(function) + ": bounds.lower(" + std::to_string(i) +
                              ") must not exceed bounds.upper(" + std::to_string(i) + ")");
}

OptimizeResult optimize(const Objective& f, double sign, Vector theta, const Bounds* bounds,
                        const LbfgsOptions& options, const OnIteration& on) {
  const char* const function = "minimize(LbfgsOptions)";
  check_at_least(function, "size of theta", theta.size(), 1);
  check_finite(function, "theta", theta);
  check_at_least(function, "memory", options.memory, 1);
  check_at_least(function, "max_iterations", options.max_iterations, 1);
  check_non_negative(function, "gradient_tolerance", options.gradient_tolerance);
  check_non_negative(function, "value_tolerance", options.value_tolerance);
  // Beyond 50 bisections the bracket has no interior left, which the library asserts.
  check_between(function, "max_line_search", double(options.max_line_search), 1, 50);
  if (bounds) check_bounds(function, *bounds, theta.size());

  Monitor monitor(f, sign, bounds, options, on);
  const Status status = run(monitor, theta, bounds, options);
  OptimizeResult result = std::move(monitor.result);
  result.status = status;
  result.iterations = monitor.accepted();
  if (const auto& at = monitor.current()) {
    result.theta = at->theta;
    result.value = sign * at->value;
    result.gradient_norm = monitor.gradient_norm(*at);
  } else {
    result.theta = std::move(theta);
    result.value = result.gradient_norm = std::numeric_limits<double>::quiet_NaN();
  }
  return result;
}

}  // namespace

OptimizeResult minimize(const Objective& f, Vector theta, const LbfgsOptions& options,
                        const OnIteration& on) {
  return optimize(f, 1.0, std::move(theta), nullptr, options, on);
}
OptimizeResult maximize(const Objective& f, Vector theta, const LbfgsOptions& options,
                        const OnIteration& on) {
  return optimize(f, -1.0, std::move(theta), nullptr, options, on);
}
OptimizeResult minimize(const Objective& f, Vector theta, const Bounds& bounds, const LbfgsOptions& options,
                        const OnIteration& on) {
  return optimize(f, 1.0, std::move(theta), &bounds, options, on);
}
OptimizeResult maximize(const Objective& f, Vector theta, const Bounds& bounds, const LbfgsOptions& options,
                        const OnIteration& on) {
  return optimize(f, -1.0, std::move(theta), &bounds, options, on);
}

}  // namespace bochner
