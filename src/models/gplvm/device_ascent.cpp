#include "device_ascent.hpp"

#include <cmath>

#include "bochner/core/checks.hpp"
#include "src/infer/descend.hpp"

namespace bochner {
namespace {

Vector joined(const DeviceVector& latents, const Vector& rest) {
  Vector out(latents.size() + rest.size());
  out << latents.on_host(), rest;
  return out;
}

/// What Descent holds beside points and states.
template <class To, class From>
void copy_numbers(const From& from, To& to) {
  to.iteration = from.iteration;
  to.retries = from.retries;
  to.smoothed = from.smoothed;
  to.smoothing_weight = from.smoothing_weight;
  to.previous = from.previous;
  to.before_previous = from.before_previous;
  to.noise = from.noise;
  to.falls = from.falls;
  to.best_value = from.best_value;
  to.best_gradient_norm = from.best_gradient_norm;
  to.flat_value = from.flat_value;
  to.flat_for = from.flat_for;
}

/// Vectors in two parts: `size` entries on the device, and what follows them.
struct OnBothSides {
  std::shared_ptr<Engine> engine;
  Index size;

  DevicePoint point(const Vector& theta) const {
    if (theta.size() == 0) return {};
    return {.latents = DeviceVector(engine, Vector(theta.head(size))),
            .rest = theta.tail(theta.size() - size)};
  }
  Vector point(const DevicePoint& p) const { return joined(p.latents, p.rest); }

  DeviceAdam state(const AdamState& s) const {
    if (s.m.size() == 0) return {.m = {}, .v = {}, .rest = s};
    const Index rest = s.m.size() - size;
    return {.m = DeviceVector(engine, Vector(s.m.head(size))),
            .v = DeviceVector(engine, Vector(s.v.head(size))),
            .rest = {.m = s.m.tail(rest), .v = s.v.tail(rest), .count = s.count}};
  }
  AdamState state(const DeviceAdam& s) const {
    return {.m = joined(s.m, s.rest.m), .v = joined(s.v, s.rest.v), .count = s.rest.count};
  }

  DeviceRun run(const AdamRun& from) const {
    DeviceRun to{.theta = point(from.theta), .state = state(from.state)};
    to.best_theta = point(from.best_theta);
    to.best_state = state(from.best_state);
    copy_numbers(from, to);
    return to;
  }
  AdamRun run(const DeviceRun& from) const {
    AdamRun to{.theta = point(from.theta), .state = state(from.state)};
    to.best_theta = point(from.best_theta);
    to.best_state = state(from.best_state);
    copy_numbers(from, to);
    return to;
  }
};

/// AdamState::step for both parts.
void adam_step(const OnBothSides& sides, DeviceAdam& state, DevicePoint& theta, const DevicePoint& grad,
               const AdamOptions& options, const StepUnits& units, double factor) {
  if (state.rest.count == 0) {
    state.m = DeviceVector(sides.engine, sides.size);
    state.v = DeviceVector(sides.engine, sides.size);
    for (DeviceVector* moment : {&state.m, &state.v})
      sides.engine->fill({moment->data(), 1, sides.size, sides.size, 1, 0}, 0);
  }
  const Vector before = theta.rest;
  state.rest.step(theta.rest, grad.rest, options, factor);
  theta.rest = before + units.shared * (theta.rest - before);
  const double count = double(state.rest.count);
  const LatentMove move{.sign = grad.sign,
                        .beta1 = options.beta1,
                        .beta2 = options.beta2,
                        .eps = options.eps,
                        .rate = options.step * factor / (1 - std::pow(options.beta1, count)),
                        .unbias2 = 1 - std::pow(options.beta2, count),
                        .first_sd = units.first_sd};
  sides.engine->latent_move(move, sides.size / 2, grad.latents.data(), theta.latents.data(), state.m.data(),
                            state.v.data());
}

}  // namespace

OptimizeResult maximize_on_device(GplvmObjective& objective, Index first, AdamRun& run,
                                  const AdamOptions& options, const StepUnits& units, const Compute& compute,
                                  const OnDeviceStep& on) {
  const char* const function = "maximize_on_device(AdamOptions)";
  detail::check_descent(function, options);
  check_finite(function, "theta", run.theta);
  const OnBothSides sides{compute.engine, 2 * objective.latent_size()};
  const std::unique_ptr<LatentStep> latents = objective.latent_step();
  DeviceRun there = sides.run(run);
  const auto fetch = [&] { run = sides.run(there); };
  const detail::Estimate<DevicePoint> f = [&](const DevicePoint& theta, Index step, DevicePoint& grad) {
    return objective.on_device(*latents, theta, first + step, grad);
  };
  const detail::Geometry<DevicePoint, DeviceAdam> flat{
      .gradient_norm = [](const DevicePoint&,
                          const DevicePoint& grad) { return std::sqrt(grad.squaredNorm()); },
      .step = [&](DeviceAdam& state, DevicePoint& theta, const DevicePoint& grad,
                  double factor) { adam_step(sides, state, theta, grad, options, units, factor); }};
  OptimizeResultOf<DevicePoint> result = detail::descend<DevicePoint, DeviceAdam>(
      f, true, -1.0, flat, there, options, [&](const Iteration& it) { return !on || on(it, fetch); });
  fetch();
  OptimizeResult out;
  out.theta = sides.point(result.theta);
  out.value = result.value;
  out.gradient_norm = result.gradient_norm;
  out.iterations = result.iterations;
  out.evaluations = result.evaluations;
  out.retries = result.retries;
  out.status = result.status;
  out.trace = std::move(result.trace);
  out.trouble = std::move(result.trouble);
  return out;
}

}  // namespace bochner
