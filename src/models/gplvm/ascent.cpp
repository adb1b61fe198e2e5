#include "ascent.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/core/errors.hpp"
#include "continuation.hpp"
#include "device_ascent.hpp"
#include "src/features/inducing.hpp"

namespace bochner {
namespace {

constexpr double hopeless = 0.015;     // of the gain up to the best climb: a start that is so far behind ends
constexpr double little_gain = 0.005;  // of what a start has gained: a check that gains less ends it
constexpr double simple_share = 0.5;   // of the steps, at most, before the mixtures are released
constexpr double released_factor = 0.5;  // of the step size, once the latents are near an optimum
constexpr double check_factor = 0.5;
constexpr int release_draws = 8;  // for the bound at the switch and the size of the new gradients
constexpr double release_weight = 25;
constexpr double hardly_any_damping = 1e-4, little_damping = 0.01;  // continuation.hpp

using Phase = detail::GplvmCheckpoint::Phase;

/// Steps in units of what they move. A latent that is known to within its posterior sd wants no steps of many times that; the
/// geometric mean of that unit and the one of the prior leaves it free to travel as long as that is large. Kernel parameters,
/// noise and inducing latents answer to all samples at once and are slowed down, or they run ahead of the latents into
/// functions that are rougher than need be.
constexpr StepUnits step_lengths{.first_sd = 0.1, .shared = 0.3};
Vector step_units(const Vector& theta, Index NQ) {
  Vector out = Vector::Constant(theta.size(), step_lengths.shared);
  out.head(NQ) = (theta.segment(NQ, NQ).array().exp() / step_lengths.first_sd).min(1.0).sqrt();
  out.segment(NQ, NQ).setOnes();
  return out;
}

}  // namespace

bool GplvmTarget::has_sketch() const {
  return !(sketch == features) || std::any_of(kernels.begin(), kernels.end(),
                                              [](const AnyKernel& k) { return simple_form(k).has_value(); });
}

std::vector<GplvmParameters::View> GplvmTarget::views(const Matrix& X, const FeatureSpec& with,
                                                      const Rng& rng, const Compute& compute) const {
  std::vector<GplvmParameters::View> out;
  for (std::size_t v = 0; v < kernels.size(); ++v) {
    out.push_back({.kernel = kernels[v], .Z = Matrix(0, X.cols())});
    if (with.kind == FeatureSpec::Kind::nystrom)
      out.back().Z = choose_inducing(simple_form(kernels[v]).value_or(kernels[v]), X, with.count, 0,
                                     rng.split("inducing").split(v), compute);
  }
  return out;
}

GplvmAscent::GplvmAscent(const GplvmOptions& options, const GplvmTarget& target, GplvmObjective& objective,
                         detail::GplvmCheckpoint& state, const GplvmHooks& hooks, bool resumable,
                         const Relocate& relocate, const Rng& rng, const Compute& compute)
    : options_(options),
      target_(target),
      objective_(objective),
      state_(state),
      hooks_(hooks),
      resumable_(resumable),
      relocate_(relocate),
      rng_(rng),
      compute_(compute) {}

void GplvmAscent::begin() {
  state_.run = AdamRun{.theta = objective_.start()};
  state_.phase = Phase::climb;
}

OptimizeResult GplvmAscent::run() {
  if (state_.run.theta.size() == 0) begin();
  for (;;) {
    const OptimizeResult result = phase();
    if (result.status == Status::stopped_by_callback || result.status == Status::not_finite)
      return finish(result);
    if (!next_phase(result)) return finish(result);
  }
}

/// The state that has been best so far, with its step size and what is known about the noise.
void GplvmAscent::go_on_from_the_best() {
  AdamRun& run = state_.run;
  state_.steps_before += run.iteration;
  if (std::isfinite(run.best_value)) {
    run.theta = run.best_theta;
    run.state = run.best_state;
    run.smoothed = run.previous = run.before_previous = run.best_value;
  }
  run.iteration = 0;
  if (state_.moved) run.falls = 0;  // moving samples was the step that was too long
  run.flat_value = std::numeric_limits<double>::infinity();
  run.flat_for = 0;
}

/// Steps of a phase with a falling step size; fewer for the simple kernels, whose optimum is only the way to another one.
Index GplvmAscent::cooling() const {
  const Index steps = std::min(options_.cooling, options_.steps / 4);
  return state_.released ? steps : (steps + 1) / 2;
}

OptimizeResult GplvmAscent::phase() {
  const Index cooling = this->cooling();
  const double share = state_.released ? 1.0 : simple_share;
  const auto last = static_cast<Index>(share * double(options_.steps));  // step of this stage
  AdamOptions adam{.step = options_.step_size, .keep_trace = false};
  adam.beta2 = 0.99;  // gradients of the first steps are large, and must not slow down the others for long
  adam.eps = 1e-14;   // gradients are per measured entry, hence small
  adam.tolerance = options_.tolerance;
  adam.fall = options_.tolerance;  // losing what counts as progress is a step too long
  if (state_.simple_theta.size() > 0) adam.step *= released_factor;
  if (state_.phase == Phase::climb) {
    adam.max_iterations = std::max<Index>(1, last - cooling - state_.steps_before);
    adam.patience = options_.patience;
    // A checkpoint of the very step that was flat for long enough has nothing left to do in this phase.
    if (state_.run.flat_for >= options_.patience) adam.max_iterations = state_.run.iteration;
  } else {
    adam.max_iterations = std::min(cooling, options_.steps - state_.steps_before);
    adam.smoothing = 20;  // the last steps are tiny: a longer mean would lag behind what they have reached
    adam.schedule = CosineStep{};
    if (state_.phase == Phase::check) adam.step *= check_factor;
  }
  adam.units = [this](const Vector& theta) { return step_units(theta, objective_.latent_size()); };
  const StochasticObjective f = [this](const Vector& theta, Index step, Vector& grad) {
    return objective_(theta, state_.steps_before + step, grad);
  };
  bool stop = false;
  const OnDeviceStep on = [&](const Iteration& it, const std::function<void()>& fetch) {
    stop = !note(it, fetch);
    return !stop;
  };
  OptimizeResult result =
      objective_.is_on_device()
          ? maximize_on_device(objective_, state_.steps_before, state_.run, adam, step_lengths, compute_, on)
          : maximize(f, state_.run, adam, [&](const Iteration& it) { return on(it, [] {}); });
  if (stop)
    result.status = Status::stopped_by_callback;  // also where that step was the last for another reason
  return result;
}

/// A step goes into the trace and to the hooks; false: they stop. `fetch` brings the run to this side.
bool GplvmAscent::note(const Iteration& it, const std::function<void()>& fetch) {
  const bool first = state_.trace.empty() || state_.trace.back().start != state_.start;
  if (first) state_.first = it.value;  // step 0, unless its draw failed
  state_.trace.push_back({state_.start, state_.steps_before + it.number + 1,
                          it.smoothed * double(objective_.observed()), it.step,
                          it.value * double(objective_.observed())});
  if (!hooks_.on_step) return true;
  const GplvmProgress progress{state_.trace.back(),
                               [&] {
                                 if (!resumable_) return detail::checkpoint_group({});
                                 fetch();
                                 detail::GplvmCheckpoint copy = state_;
                                 copy.guesses = objective_.guesses();
                                 copy.jitter = objective_.jitter();
                                 return detail::checkpoint_group(copy);
                               },
                               [&] {
                                 fetch();
                                 return objective_.unpack(state_.run.theta).latent.mean;
                               }};
  return hooks_.on_step(progress);
}

/// Whether the climb that has just ended leaves nothing to hope for. Starts by way of the simple kernels end their climb with
/// smaller steps, hence higher: both kinds are compared with their own alone.
bool GplvmAscent::left_behind(double climbed) {
  double& best = state_.climbed[state_.simple_theta.size() > 0 ? 0 : 1];
  const double gained = best - state_.first;
  if (std::isfinite(best) && gained > 0 && climbed < best - hopeless * gained) return true;
  best = std::max(best, climbed);
  return false;
}

/// Prepares the phase after the last one; false if there is none.
bool GplvmAscent::next_phase(const OptimizeResult& last) {
  const Index cooling = this->cooling();
  const double gain = last.value - state_.reached;
  // A check that moved samples and came back to where it was has checked nothing.
  const bool futile = state_.phase == Phase::check && state_.moved && !(gain > 0);
  state_.settled =
      state_.phase == Phase::check && !futile && gain < little_gain * (last.value - state_.first);
  state_.reached = last.value;
  if (state_.phase == Phase::climb) {
    if (state_.released && left_behind(last.value)) return false;
    state_.phase = Phase::cool;
    if (cooling > 0) {
      go_on_from_the_best();
      if (state_.released && !state_.refined) refine();
      return true;
    }
  }
  if (!state_.released) {
    go_on_from_the_best();
    const Vector best = state_.run.theta;
    relocate();
    release(best);
    return true;
  }
  if (state_.settled || cooling == 0 || steps_so_far() + cooling > options_.steps) return false;
  state_.phase = Phase::check;
  go_on_from_the_best();
  state_.moved = false;
  if (!futile) relocate();
  return true;
}

/// Where moves are not checked the bound falls at first, for the functions fitted the samples where they were; the phase that
/// follows settles that. If it does not, the best state is still there.
void GplvmAscent::relocate() {
  AdamRun& run = state_.run;
  const GplvmParameters before = objective_.unpack(run.theta);
  GplvmParameters p = before;
  state_.moved =
      relocate_(p, rng_.split("relocate").split(static_cast<std::uint64_t>(state_.steps_before))) > 0;
  if (!state_.moved) return;
  const Vector same = objective_.pack(before), moved = objective_.pack(p);
  for (Index i = 0; i < 2 * objective_.latent_size(); ++i) {
    if (moved(i) == same(i)) continue;
    run.theta(i) = moved(i);
    if (run.state.m.size() > 0) run.state.m(i) = 0;  // it has no direction yet where it is now
  }
}

/// The bound and squared gradients at theta over some draws. Draws that fail do not count: the phase that follows deals with
/// them.
GplvmAscent::Average GplvmAscent::average(const Vector& theta) {
  Average out{0, Vector::Zero(theta.size())};
  Vector grad(theta.size());
  int usable = 0;
  for (int draw = 0; draw < release_draws; ++draw) {
    double value = 0;
    try {
      value = objective_(theta, state_.steps_before + draw, grad);
    } catch (const NumericalError&) {
      continue;
    }
    if (!std::isfinite(value) || !grad.allFinite()) continue;
    out.value += value;
    out.squares += grad.cwiseAbs2();
    ++usable;
  }
  if (usable == 0) return {-std::numeric_limits<double>::max(), Vector::Ones(theta.size())};
  return {out.value / usable, out.squares / usable};
}

/// Goes on from other parameters, in the present form of the objective. Moments that are kept go on; those of new kernel
/// parameters and inducing latents begin at the size of their gradients, or the first steps would be as long as Adam can
/// make them.
void GplvmAscent::adopt(const GplvmParameters& parameters, const std::vector<Kept>& moments) {
  const AdamRun before = std::move(state_.run);
  AdamRun run{.theta = objective_.pack(parameters)};
  const auto [value, squares] = average(run.theta);
  run.smoothed = -value;
  run.smoothing_weight = release_weight;  // or the first draws alone would be the best running mean
  run.previous = run.before_previous = run.smoothed;
  run.state = {.m = Vector::Zero(run.theta.size()), .v = squares, .count = before.state.count};
  for (const Kept& part : moments) {
    if (before.state.m.size() == 0) break;
    run.state.m.segment(part.at, part.size) = before.state.m.segment(part.was, part.size);
    run.state.v.segment(part.at, part.size) = before.state.v.segment(part.was, part.size);
  }
  state_.run = std::move(run);
}

/// From the simple kernels to those asked for. `best` is the best state of the simple ones, which the present state may have
/// left since.
void GplvmAscent::release(const Vector& best) {
  const GplvmParameters simple = objective_.unpack(state_.run.theta);
  const Matrix& X = simple.latent.mean;
  GplvmParameters same = objective_.unpack(best), apart = simple;
  const std::vector<GplvmParameters::View> views = target_.views(X, target_.climb, rng_, compute_);
  for (std::size_t v = 0; v < views.size(); ++v) {
    same.views[v].Z = apart.views[v].Z = views[v].Z;
    if (!simple_form(views[v].kernel)) continue;
    same.views[v].kernel = same_kernel(simple.views[v].kernel, views[v].kernel, X, hardly_any_damping);
    apart.views[v].kernel =
        moved_apart(same_kernel(simple.views[v].kernel, views[v].kernel, X, little_damping), X);
  }
  const std::vector<Index> from = objective_.offsets();
  objective_.set_form(apart.views, target_.climb);
  const std::vector<Index> to = objective_.offsets();
  std::vector<Kept> kept{{0, 0, to.front()}};  // latents, and the noise of each view
  for (std::size_t v = 0; v < views.size(); ++v)
    kept.push_back(
        {to[v] + parameter_count(views[v].kernel), from[v] + parameter_count(simple.views[v].kernel), 1});
  adopt(apart, kept);

  state_.simple_theta = objective_.pack(same);
  state_.simple_guesses = objective_.guesses();
  const double value = average(state_.simple_theta).value;
  // The running mean is as good an estimate where its features were a lower bound of these.
  const bool comparable = target_.features.kind != FeatureSpec::Kind::random;
  state_.simple_value = comparable ? std::max(value, state_.reached) : value;
  state_.phase = Phase::climb;
  state_.released = true;
  state_.refined = target_.climb == target_.features;
  state_.reached = -std::numeric_limits<double>::infinity();
}

/// From the features of the climb to those asked for.
void GplvmAscent::refine() {
  GplvmParameters now = objective_.unpack(state_.run.theta), simple = objective_.unpack(state_.simple_theta);
  const std::vector<GplvmParameters::View> views =
      target_.views(now.latent.mean, target_.features, rng_, compute_);
  for (std::size_t v = 0; v < views.size(); ++v) now.views[v].Z = simple.views[v].Z = views[v].Z;
  const std::vector<Index> from = objective_.offsets();
  objective_.set_form(now.views, target_.features);
  const std::vector<Index> to = objective_.offsets();
  std::vector<Kept> kept{{0, 0, to.front()}};  // all but inducing latents
  for (std::size_t v = 0; v < views.size(); ++v)
    kept.push_back({to[v], from[v], parameter_count(views[v].kernel) + 1});
  adopt(now, kept);
  state_.simple_theta = objective_.pack(simple);
  state_.refined = true;
}

OptimizeResult GplvmAscent::finish(OptimizeResult result) {
  if (!state_.released) {  // it ended early: what there is, as the kernels asked for
    state_.reached = result.value;
    state_.run.theta = result.theta;
    state_.steps_before += state_.run.iteration;
    release(result.theta);
    result.theta = state_.simple_theta;
    result.value = state_.simple_value;
  }
  if (!state_.refined) {
    state_.run.theta = result.theta;
    state_.steps_before += state_.run.iteration;
    refine();
    result.theta = state_.run.theta;
  }
  if (state_.simple_theta.size() > 0 && !(result.value > state_.simple_value)) {
    result.theta = state_.simple_theta;
    result.value = state_.simple_value;
    objective_.set_guesses(state_.simple_guesses);
  }
  if (result.status == Status::iteration_limit && state_.settled) result.status = Status::converged;
  if (result.status == Status::converged && !state_.settled) result.status = Status::iteration_limit;
  return result;
}

}  // namespace bochner
