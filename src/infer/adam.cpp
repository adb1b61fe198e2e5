#include "bochner/infer/adam.hpp"

#include <cmath>
#include <limits>

#include "bochner/compute/row_plan.hpp"
#include "bochner/core/checks.hpp"
#include "descend.hpp"

namespace bochner {
namespace {

using VectorEstimate = detail::Estimate<Vector>;

constexpr Index entries_per_task = 8192;

VectorEstimate without_noise(const Objective& f) {
  return [&f](const Vector& theta, Index, Vector& grad) { return f(theta, grad); };
}

OptimizeResult descend(const VectorEstimate& f, bool stochastic, double sign, AdamRun& run,
                       const AdamOptions& options, const OnIteration& on) {
  const char* const function = "minimize(AdamOptions)";
  detail::check_descent(function, options);
  if (options.fall != std::numeric_limits<double>::infinity())
    check_non_negative(function, "fall", options.fall);
  check_at_least(function, "size of theta", run.theta.size(), 1);
  check_finite(function, "theta", run.theta);
  const detail::Geometry<Vector, AdamState> flat{
      .gradient_norm = [](const Vector&, const Vector& grad) { return grad.norm(); },
      .step =
          [&](AdamState& state, Vector& theta, const Vector& grad, double factor) {
            if (!options.units) return state.step(theta, grad, options, factor);
            const Vector units = options.units(theta), before = theta;
            state.step(theta, grad, options, factor);
            theta = before + units.cwiseProduct(theta - before);
          }};
  return detail::descend(f, stochastic, sign, flat, run, options, on);
}

OptimizeResult descend(const VectorEstimate& f, bool stochastic, double sign, Vector&& theta,
                       const AdamOptions& options, const OnIteration& on) {
  AdamRun run{.theta = std::move(theta)};
  return descend(f, stochastic, sign, run, options, on);
}

}  // namespace

void AdamState::step(VectorOut theta, VectorIn grad, const AdamOptions& options, double factor) {
  step(theta, grad, options, factor, Threads(1));
}

void AdamState::step(VectorOut theta, VectorIn grad, const AdamOptions& options, double factor,
                     const Compute& compute) {
  check_size("AdamState::step", "size of grad", grad.size(), "size of theta", theta.size());
  if (count == 0) {
    m.setZero(theta.size());
    v.setZero(theta.size());
  }
  check_size("AdamState::step", "size of the moments", m.size(), "size of theta", theta.size());
  ++count;
  const double b1 = options.beta1, b2 = options.beta2;
  const double unbias1 = 1 - std::pow(b1, double(count)), unbias2 = 1 - std::pow(b2, double(count));
  for_each_block(compute, theta.size(), entries_per_task, [&](Index begin, Index size) {
    auto first = m.segment(begin, size).array(), second = v.segment(begin, size).array();
    const auto g = grad.segment(begin, size).array();
    first = b1 * first + (1 - b1) * g;
    second = b2 * second + (1 - b2) * g.square();
    theta.segment(begin, size).array() -=
        (options.step * factor / unbias1) * first / ((second / unbias2).sqrt() + options.eps);
  });
}

OptimizeResult minimize(const Objective& f, Vector theta, const AdamOptions& options, const OnIteration& on) {
  return descend(without_noise(f), false, 1.0, std::move(theta), options, on);
}
OptimizeResult maximize(const Objective& f, Vector theta, const AdamOptions& options, const OnIteration& on) {
  return descend(without_noise(f), false, -1.0, std::move(theta), options, on);
}
OptimizeResult minimize(const Objective& f, AdamRun& run, const AdamOptions& options, const OnIteration& on) {
  return descend(without_noise(f), false, 1.0, run, options, on);
}
OptimizeResult maximize(const Objective& f, AdamRun& run, const AdamOptions& options, const OnIteration& on) {
  return descend(without_noise(f), false, -1.0, run, options, on);
}

OptimizeResult minimize(const StochasticObjective& f, Vector theta, const AdamOptions& options,
                        const OnIteration& on) {
  return descend(f, true, 1.0, std::move(theta), options, on);
}
OptimizeResult maximize(const StochasticObjective& f, Vector theta, const AdamOptions& options,
                        const OnIteration& on) {
  return descend(f, true, -1.0, std::move(theta), options, on);
}
OptimizeResult minimize(const StochasticObjective& f, AdamRun& run, const AdamOptions& options,
                        const OnIteration& on) {
  return descend(f, true, 1.0, run, options, on);
}
OptimizeResult maximize(const StochasticObjective& f, AdamRun& run, const AdamOptions& options,
                        const OnIteration& on) {
  return descend(f, true, -1.0, run, options, on);
}

}  // namespace bochner
