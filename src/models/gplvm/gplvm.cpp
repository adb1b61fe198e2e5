#include "bochner/models/gplvm/gplvm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ascent.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/models/gplvm/cost.hpp"
#include "bochner/models/gplvm/device.hpp"
#include "checkpoint.hpp"
#include "objective.hpp"
#include "race.hpp"
#include "relocation/relocate.hpp"
#include "start.hpp"
#include "weights.hpp"

namespace bochner {
namespace {

void check_options(const GplvmOptions& o, const Dataset& data) {
  const char* const f = "fit_gplvm";
  check_at_least(f, "dims", o.dims, 1);
  check_at_least(f, "steps", o.steps, 1);
  check_at_least(f, "cooling", o.cooling, 0);
  check_at_least(f, "patience", o.patience, 1);
  check_at_least(f, "restarts", o.restarts, 0);
  check_positive(f, "step_size", o.step_size);
  check_non_negative(f, "tolerance", o.tolerance);
  check_at_least(f, "features.count", o.features.count, 0);
  if (o.features.kind == FeatureSpec::Kind::finite || o.features.kind == FeatureSpec::Kind::network)
    throw std::invalid_argument("fit_gplvm: features are " + to_text(o.features) +
                                ", but must be auto, exact, random or nystrom");
  if (!o.own.empty()) check_size(f, "size of own", Index(o.own.size()), "views", data.view_count());
  if (data.rows() < 3)
    throw InputError("a latent variable model needs at least 3 samples, here are " +
                     std::to_string(data.rows()));
  for (const GplvmViewOptions& view : options_by_view(o, data.view_count())) {
    if (view.fixed_noise) check_positive(f, "fixed_noise", *view.fixed_noise);
    check_positive(f, "first_noise", view.first_noise);
  }
}

/// A checkpoint is a file, and files are changed: what indexes others must fit this fit. `objective` has the form of its
/// stage, `whole` is the length of theta in the last one.
void check_checkpoint(const detail::GplvmCheckpoint& c, Index restarts, bool begins_released, Index steps,
                      const GplvmObjective& objective, Index whole) {
  const Index length = objective.start().size(), ended = static_cast<Index>(c.ended.size());
  const auto fits = [](const Vector& theta, Index size) { return theta.size() == 0 || theta.size() == size; };
  const auto guesses_fit = [&](const std::vector<Vector>& guesses) {
    const std::vector<Vector> own = objective.guesses();
    if (guesses.empty()) return true;
    if (guesses.size() != own.size()) return false;
    for (std::size_t v = 0; v < own.size(); ++v)
      if (guesses[v].size() != own[v].size()) return false;
    return true;
  };
  const bool running = c.run.theta.size() > 0;
  constexpr double most = 1e150;  // a bound per entry; the trace holds it times their number
  const bool has_simple = c.simple_theta.size() > 0;
  const bool staged = !running || (begins_released ? c.released && c.refined && !has_simple
                                                   : c.released == has_simple && c.released >= c.refined);
  if (!staged || c.steps_before > steps ||
      (has_simple && c.simple_guesses.size() != objective.guesses().size()) ||
      !(std::abs(c.run.smoothed) < most) || c.start < 0 || c.start > restarts ||
      (running && c.start == restarts) || ended != c.start || c.best_start < 0 ||
      c.best_start >= std::max<Index>(ended, 1) || (ended > 0 && c.best_theta.size() == 0) ||
      !fits(c.run.theta, length) || !fits(c.best_theta, whole) || !fits(c.simple_theta, length) ||
      !(std::abs(c.first) < most) || (std::isfinite(c.run.best_value) && c.run.best_theta.size() != length) ||
      (ended > 0 && c.best_guesses.empty() && !objective.guesses().empty()) ||
      (running && c.guesses.empty() && !objective.guesses().empty()) || !guesses_fit(c.guesses) ||
      !guesses_fit(c.best_guesses) || !guesses_fit(c.simple_guesses))
    throw InputError("the checkpoint does not belong to this fit; start anew without resuming");
}

/// Everything that a fit works with, before its first start.
struct Prepared {
  const Dataset& data;
  const GplvmOptions& options;
  std::vector<GplvmViewOptions> views;
  Rng rng;
  ScaledData scaled;
  FirstGuess guess;
  GplvmTarget target;
  std::vector<Index> empty, order;  // samples without data; first guesses, the best one first
  bool raced = true;                // false: the race was cut short
  Compute compute;

  /// Every second start begins with the flexible kernel itself: where functions vary over the latent space it may find more than
  /// the way through the simple one. With an odd number of first guesses each of them goes both ways.
  bool begins_released(Index start) const {
    constexpr Index few = 20;  // steps: too few for two stages
    return !target.has_sketch() || start % 2 == 1 || options.steps < few;
  }

  /// Starts take the first guesses in turn; once each has gone its ways, they are shaken. Not before: shaken latents lose the
  /// large-scale geometry that the guesses have, and the bound hardly minds when pieces of a surface are rearranged.
  GplvmObjective objective_of(Index start) const {
    const Rng own = rng.split("start").split(static_cast<std::uint64_t>(start));
    const auto turn = static_cast<std::size_t>(start);
    Matrix X = guess.X[static_cast<std::size_t>(order[turn % order.size()])];
    const std::size_t ways = target.has_sketch() && order.size() % 2 == 1 ? 2 : 1;
    if (turn >= ways * order.size()) {
      X += 0.5 * own.split("shake").normal(X.rows(), X.cols());
      whiten_columns(X);
    }
    GplvmParameters begin = start_parameters(std::move(X), views, target.sketch, empty, own, compute);
    const std::vector<GplvmParameters::View> like = begin.views;
    GplvmObjective out =
        make_objective(scaled.data, guess.filled, views, target.features, options.precision, std::move(begin),
                       rng.split("steps").split(static_cast<std::uint64_t>(start)), compute);
    if (begins_released(start))
      out.set_form(target.views(out.begin().latent.mean, target.features, own, compute), target.features);
    else
      out.set_form(like, target.sketch);
    return out;
  }

  GplvmAscent::Relocate relocation() const {
    constexpr double nats = 5;
    return [this](GplvmParameters& parameters, const Rng& draws) {
      return relocate(scaled, guess.filled, parameters, nats, draws, compute);
    };
  }

  /// Gives an objective of objective_of(start) the form of a stage; values of its parameters are another matter.
  void set_form(GplvmObjective& objective, Index start, bool released, bool refined) const {
    if (!released || begins_released(start)) return;
    const FeatureSpec& with = refined ? target.features : target.climb;
    objective.set_form(target.views(guess.X.front(), with, rng, compute), with);
  }
};

Prepared prepare(const Dataset& data, const GplvmOptions& options, std::uint64_t seed, const Compute& compute,
                 const GplvmHooks& hooks) {
  const std::vector<GplvmViewOptions> views = options_by_view(options, data.view_count());
  const Rng rng = Rng(seed).split("gplvm");
  ScaledData scaled = scale_views(data, views);
  FirstGuess guess = first_guess(scaled.data, options, rng.split("first guess"), compute);
  bool raced = true;
  const auto go_on = [&] { return raced = raced && (!hooks.keep_going || hooks.keep_going()); };
  if (hooks.begin != nullptr) guess.X.push_back(*hooks.begin);
  std::vector<Index> order = race(scaled.data, guess, views, options, go_on, rng.split("race"), compute);
  const FeatureSpec features = resolve(options.features, shape_of(data), views);
  return {.data = data,
          .options = options,
          .views = views,
          .rng = rng,
          .scaled = std::move(scaled),
          .guess = std::move(guess),
          .target = {.kernels = asked_kernels(views, options.dims, rng.split("kernels")),
                     .features = features,
                     // a device has no steps of inducing latents yet, and random features are cheap there
                     .sketch = compute.engine ? features : sketch_of(features, data.rows()),
                     .climb = climb_of(features, data.rows())},
          .empty = data.empty_rows(),
          .order = std::move(order),
          .raced = raced,
          .compute = compute};
}

/// What a start has found goes into `state`, which is then ready for the next one.
void end_start(detail::GplvmCheckpoint& state, const OptimizeResult& result,
               const GplvmObjective& objective) {
  // A start that could not even begin is worse than any other.
  const double bound = std::isnan(result.value) ? -std::numeric_limits<double>::infinity()
                                                : result.value * double(objective.observed());
  if (state.ended.empty() || bound > state.ended[static_cast<std::size_t>(state.best_start)]) {
    state.best_theta = result.theta;
    state.best_guesses = objective.guesses();
    state.best_start = state.start;
    state.best_steps = state.steps_before + state.run.iteration;
    state.best_status = result.status;
  }
  state.ended.push_back(bound);
  state.jitter = objective.jitter();
  state.run = {};
  state.guesses.clear();
  state.phase = detail::GplvmCheckpoint::Phase::climb;
  state.released = state.refined = state.settled = state.moved = false;
  state.steps_before = 0;
  state.first = 0;
  state.reached = state.simple_value = -std::numeric_limits<double>::infinity();
  state.simple_theta.resize(0);
  state.simple_guesses.clear();
}

/// All starts, or those that are left; true if the hooks ended them.
bool run_starts(const Prepared& with, detail::GplvmCheckpoint& state, const GplvmHooks& hooks) {
  const Index restarts = resolve_restarts(with.options, shape_of(with.data));
  if (hooks.resume) {
    state = detail::gplvm_checkpoint_from(*hooks.resume);
    const Index start = std::min(state.start, restarts - 1);
    GplvmObjective now = with.objective_of(start), last = now;
    with.set_form(now, start, state.released, state.refined);
    with.set_form(last, start, true, true);
    check_checkpoint(state, restarts, with.begins_released(start), with.options.steps, now,
                     last.start().size());
  }
  // A race that was cut short may have chosen another first guess than it would have: resume from the beginning.
  const bool resumable = with.raced || state.run.theta.size() > 0;
  bool stopped = false;
  for (; state.start < restarts && !stopped; ++state.start) {
    GplvmObjective objective = with.objective_of(state.start);
    if (state.run.theta.size() == 0) state.released = state.refined = with.begins_released(state.start);
    with.set_form(objective, state.start, state.released, state.refined);
    if (state.run.theta.size() > 0) objective.set_guesses(state.guesses);
    objective.set_jitter(state.jitter);
    const OptimizeResult result =
        GplvmAscent(with.options, with.target, objective, state, hooks, resumable, with.relocation(),
                    with.rng.split("ascent").split(static_cast<std::uint64_t>(state.start)), with.compute)
            .run();
    const bool failed = result.status == Status::not_finite && std::isnan(result.value);
    if (failed && state.ended.empty())
      throw NumericalError("the bound could not be computed even at the start: " + result.trouble);
    stopped = result.status == Status::stopped_by_callback;
    end_start(state, result, objective);
  }
  return stopped;
}

/// One view of the fit, from the parameters of the best start.
GplvmView learned_view(const Prepared& with, std::size_t v, const GplvmParameters& end,
                       const GplvmObjective& objective) {
  const View& view = with.scaled.data.view(Index(v));
  const Scaling& scaling = with.scaled.scalings[v];
  GplvmView out{.name = view.name,
                .columns = view.columns,
                .scaling = scaling,
                .unmeasured = scaling.unmeasured,
                .constant = scaling.constant,
                .kernel = end.views[v].kernel};
  if (out.scaling.kind == ScalingKind::none && !out.constant.empty()) {  // predicted as they are here too
    const Vector centre = fit_scaling(with.data.view(Index(v)).Y, ScalingKind::centre).centre;
    for (const Index m : out.constant) out.scaling.centre(m) = centre(m);
  }
  learn_weights(objective.terms()[v], end.views[v], end.latent, view.Y, !with.views[v].fixed_noise,
                with.rng.split("weights").split(v), with.compute, out);
  return out;
}

}  // namespace

GplvmFit fit_gplvm(const Dataset& data, const GplvmOptions& options, std::uint64_t seed,
                   const Compute& compute, const GplvmHooks& hooks) {
  check_options(options, data);
  if (hooks.begin != nullptr) {
    check_size("fit_gplvm", "rows of hooks.begin", hooks.begin->rows(), "samples", data.rows());
    check_size("fit_gplvm", "columns of hooks.begin", hooks.begin->cols(), "dims", options.dims);
    check_finite("fit_gplvm", "hooks.begin", *hooks.begin);
  }
  const Compute on = choose_device(data, options, compute).compute;
  const Prepared with = prepare(data, options, seed, on, hooks);
  detail::GplvmCheckpoint state;
  const bool stopped = run_starts(with, state, hooks);
  GplvmObjective objective = with.objective_of(state.best_start);
  with.set_form(objective, state.best_start, true, true);
  objective.set_guesses(state.best_guesses);
  const GplvmParameters end = objective.unpack(state.best_theta);
  GplvmFit fit{.ids = data.ids(),
               .latent = end.latent,
               .objective = state.ended[static_cast<std::size_t>(state.best_start)],
               .steps = state.best_steps,
               .status = stopped ? Status::stopped_by_callback : state.best_status,
               .jitter = state.jitter,
               .start = state.best_start,
               .start_objectives = state.ended,
               .trace = state.trace,
               .features = with.target.features,
               .options = options,
               .seed = seed};
  for (std::size_t v = 0; v < with.views.size(); ++v)
    fit.views.push_back(learned_view(with, v, end, objective));
  return fit;
}

}  // namespace bochner
