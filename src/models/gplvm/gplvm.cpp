#include "bochner/models/gplvm/gplvm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"
#include "checkpoint.hpp"
#include "objective.hpp"
#include "race.hpp"
#include "start.hpp"
#include "weights.hpp"

namespace bochner {
namespace {

constexpr Index twice_limit = 700;    // samples: up to here a second start costs seconds
constexpr double exact_limit = 2e10;  // views * samples^3: beyond, an exact step takes over half a second

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
  for (const GplvmViewOptions& view : options_by_view(o, data.view_count()))
    if (view.fixed_noise) check_positive(f, "fixed_noise", *view.fixed_noise);
}

/// A checkpoint is a file, and files are changed: what indexes others must fit this fit.
void check_checkpoint(const detail::GplvmCheckpoint& c, Index restarts, bool cools,
                      const GplvmObjective& objective) {
  const Index length = objective.start().size(), ended = static_cast<Index>(c.ended.size());
  const auto fits = [&](const Vector& theta) { return theta.size() == 0 || theta.size() == length; };
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
  if (!(std::abs(c.run.smoothed) < most) || c.start < 0 || c.start > restarts ||
      (running && c.start == restarts) || ended != c.start || c.best_start < 0 ||
      c.best_start >= std::max<Index>(ended, 1) || (ended > 0 && c.best_theta.size() == 0) ||
      !fits(c.run.theta) || !fits(c.best_theta) || (c.cooling && !cools) ||
      (std::isfinite(c.run.best_value) && c.run.best_theta.size() != length) ||
      (ended > 0 && c.best_guesses.empty() && !objective.guesses().empty()) ||
      (running && c.guesses.empty() && !objective.guesses().empty()) || !guesses_fit(c.guesses) ||
      !guesses_fit(c.best_guesses))
    throw InputError("the checkpoint does not belong to this fit; start anew without resuming");
}

/// The two phases of a start: a constant step until the bound is flat, then a falling one.
class Optimizer {
 public:
  Optimizer(const GplvmOptions& options, GplvmObjective& objective, detail::GplvmCheckpoint& state,
            const GplvmHooks& hooks, bool resumable)
      : options_(options), objective_(objective), state_(state), hooks_(hooks), resumable_(resumable) {
    cooling_ = std::min(options.cooling, options.steps / 2);
    adam_.step = options.step_size;
    adam_.eps = 1e-14;  // gradients are per measured entry, hence small
    adam_.tolerance = options.tolerance;
    adam_.keep_trace = false;
    adam_.fall = options.tolerance;  // losing what counts as progress is a step too long
  }

  /// Runs the present start to its end. The status says how.
  OptimizeResult run() {
    OptimizeResult result;
    if (!state_.cooling) {
      // A checkpoint of the very step that was flat for long enough has nothing left to do in this phase.
      const bool flat = state_.run.flat_for >= options_.patience;
      adam_.max_iterations = flat ? state_.run.iteration : options_.steps - cooling_;
      adam_.patience = options_.patience;
      adam_.schedule = ConstantStep{};
      result = phase();
      if (flat) result.status = Status::converged;
      if (result.status == Status::stopped_by_callback || result.status == Status::not_finite) return result;
      state_.cooling = true;
      state_.settled = result.status == Status::converged;
      state_.steps_before = state_.run.iteration;
      cool_from_the_best(state_.run);
    }
    if (cooling_ == 0) return result;
    adam_.max_iterations = cooling_;
    adam_.patience = 0;
    adam_.smoothing = 20;  // the last steps are tiny: a longer mean would lag behind what they have reached
    adam_.schedule = CosineStep{};
    result = phase();
    if (result.status == Status::iteration_limit && state_.settled) result.status = Status::converged;
    return result;
  }

 private:
  /// The state that the first phase has found best, with its step size and what is known about the noise.
  static void cool_from_the_best(AdamRun& run) {
    if (std::isfinite(run.best_value)) {
      run.theta = run.best_theta;
      run.state = run.best_state;
      run.smoothed = run.previous = run.before_previous = run.best_value;
    }
    run.iteration = 0;
    run.flat_value = std::numeric_limits<double>::infinity();
    run.flat_for = 0;
  }

  OptimizeResult phase() {
    const StochasticObjective f = [this](const Vector& theta, Index step, Vector& grad) {
      return objective_(theta, state_.steps_before + step, grad);
    };
    bool stop = false;
    OptimizeResult result = maximize(f, state_.run, adam_, [&](const Iteration& it) {
      state_.trace.push_back({state_.start, state_.steps_before + it.number + 1,
                              it.smoothed * double(objective_.observed()), it.step,
                              it.value * double(objective_.observed())});
      if (!hooks_.on_step) return true;
      const GplvmProgress progress{state_.trace.back(), [this] {
                                     if (!resumable_) return detail::checkpoint_group({});
                                     detail::GplvmCheckpoint copy = state_;
                                     copy.guesses = objective_.guesses();
                                     copy.jitter = objective_.jitter();
                                     return detail::checkpoint_group(copy);
                                   }};
      stop = !hooks_.on_step(progress);
      return !stop;
    });
    if (stop)
      result.status = Status::stopped_by_callback;  // also where that step was the last for another reason
    return result;
  }

  const GplvmOptions& options_;
  GplvmObjective& objective_;
  detail::GplvmCheckpoint& state_;
  const GplvmHooks& hooks_;
  const bool resumable_;
  AdamOptions adam_;
  Index cooling_ = 0;
};

}  // namespace

FeatureSpec resolve(const FeatureSpec& choice, Index N, const std::vector<GplvmViewOptions>& views) {
  using Kind = FeatureSpec::Kind;
  FeatureSpec out = choice;
  const double n = double(N);
  if (out.kind == Kind::automatic)
    out.kind = double(views.size()) * n * n * n <= exact_limit ? Kind::exact : Kind::random;
  if (out.count == 0 && out.kind == Kind::random) {
    Index components = 1;  // about 600 features
    for (const GplvmViewOptions& view : views)
      if (view.kernel == "ngsm" || view.kernel == "sm" || view.kernel == "bsm")
        components = std::max(components, view.components);
    out.count = std::max<Index>(1, 300 / components);
  }
  if (out.count == 0 && out.kind == Kind::nystrom) out.count = 300;
  if (out.kind == Kind::nystrom) out.count = std::min(out.count, N);
  return out;
}

Index resolve_restarts(const GplvmOptions& options, Index N) {
  if (options.restarts > 0) return options.restarts;
  return options.race && N <= twice_limit ? 2 : 1;
}

namespace {

/// Everything that a fit works with, before its first start.
struct Prepared {
  const Dataset& data;
  const GplvmOptions& options;
  std::vector<GplvmViewOptions> views;
  FeatureSpec features;
  Rng rng;
  ScaledData scaled;
  FirstGuess guess;
  std::vector<Index> empty, order;  // samples without data; first guesses, the best one first
  bool raced = true;                // false: the race was cut short
  Compute compute;

  /// Starts take the first guesses in turn; once each has had its turn, they are shaken.
  GplvmObjective objective_of(Index start) const {
    const Rng own = rng.split("start").split(static_cast<std::uint64_t>(start));
    const auto turn = static_cast<std::size_t>(start);
    Matrix X = guess.X[static_cast<std::size_t>(order[turn % order.size()])];
    if (turn >= order.size()) {
      X += 0.5 * own.split("shake").normal(X.rows(), X.cols());
      whiten_columns(X);
    }
    return make_objective(scaled.data, guess.filled, views, features, options.single_precision,
                          start_parameters(std::move(X), views, features, empty, own, compute),
                          rng.split("steps").split(static_cast<std::uint64_t>(start)), compute);
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
  std::vector<Index> order = race(scaled.data, guess, views, options, go_on, rng.split("race"), compute);
  return {.data = data,
          .options = options,
          .views = views,
          .features = resolve(options.features, data.rows(), views),
          .rng = rng,
          .scaled = std::move(scaled),
          .guess = std::move(guess),
          .empty = data.empty_rows(),
          .order = std::move(order),
          .raced = raced,
          .compute = compute};
}

/// What a start has found goes into `state`, which is then ready for the next one.
void end_start(detail::GplvmCheckpoint& state, const OptimizeResult& result,
               const GplvmObjective& objective) {
  const double bound = result.value * double(objective.observed());
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
  state.cooling = state.settled = false;
  state.steps_before = 0;
}

/// All starts, or those that are left; true if the hooks ended them.
bool run_starts(const Prepared& with, detail::GplvmCheckpoint& state, const GplvmHooks& hooks) {
  const Index restarts = resolve_restarts(with.options, with.data.rows());
  if (hooks.resume) {
    state = detail::gplvm_checkpoint_from(*hooks.resume);
    check_checkpoint(state, restarts, std::min(with.options.cooling, with.options.steps / 2) > 0,
                     with.objective_of(std::min(state.start, restarts - 1)));
  }
  // A race that was cut short may have chosen another first guess than it would have: resume from the beginning.
  const bool resumable = with.raced || state.run.theta.size() > 0;
  bool stopped = false;
  for (; state.start < restarts && !stopped; ++state.start) {
    GplvmObjective objective = with.objective_of(state.start);
    if (state.run.theta.size() == 0)
      state.run = AdamRun{.theta = objective.start()};
    else
      objective.set_guesses(state.guesses);
    objective.set_jitter(state.jitter);
    const OptimizeResult result = Optimizer(with.options, objective, state, hooks, resumable).run();
    if (result.status == Status::not_finite && std::isnan(result.value))
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
  const Prepared with = prepare(data, options, seed, compute, hooks);
  detail::GplvmCheckpoint state;
  const bool stopped = run_starts(with, state, hooks);
  GplvmObjective objective = with.objective_of(state.best_start);
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
               .features = with.features,
               .options = options,
               .seed = seed};
  for (std::size_t v = 0; v < with.views.size(); ++v)
    fit.views.push_back(learned_view(with, v, end, objective));
  return fit;
}

double gplvm_memory(const Dataset& data, const GplvmOptions& options) {
  const std::vector<GplvmViewOptions> views = options_by_view(options, data.view_count());
  const FeatureSpec features = resolve(options.features, data.rows(), views);
  const double N = double(data.rows());
  double M = 0, widest = 0, F = double(features.count);
  for (std::size_t v = 0; v < views.size(); ++v) {
    M += double(data.view(Index(v)).cols());
    widest = std::max(widest, double(data.view(Index(v)).cols()));
    if (features.kind == FeatureSpec::Kind::random)
      F = std::max(F, 2.0 * double(features.count) * double(views[v].components));
  }
  // The tables: as given, scaled, filled, as the terms hold them, and one being worked on.
  const double tables = 5 * N * M;
  const double inducing = std::min(N, double(most_inducing));
  const double step =
      features.kind == FeatureSpec::Kind::exact
          ? 8 * N * N + 3 * N * widest
          : 16 * F * (2 * F + widest) + 3 * 16 * 256 * (F + widest) + std::min(N * F, double(1 << 24));
  const double weights = 3 * N * inducing + 2 * N * widest + 6 * inducing * (inducing + widest);
  return 3e7 + 8 * (tables + std::max(step, weights) + 12 * N * double(options.dims));
}

}  // namespace bochner
