#include "bochner/models/bayes/bayes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "beginning.hpp"
#include "bochner/assess/convergence.hpp"
#include "bochner/core/checks.hpp"
#include "bochner/models/bayes/assess.hpp"
#include "bochner/models/gplvm/cost.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "chain_bytes.hpp"
#include "checkpoint.hpp"
#include "draws/turned.hpp"
#include "level.hpp"
#include "likelihood.hpp"
#include "monitors.hpp"
#include "setup.hpp"
#include "sweep.hpp"
#include "warmup.hpp"

namespace bochner {

namespace {

using detail::BayesCheckpoint, detail::checkpoint_group;

constexpr Index settling =
    20;  // sweeps at the beginning in which latents stay: functions must find them first
constexpr Index smoothing = 100;       // .. in which the smoothness of paths stays
constexpr Index tuning_every = 10;     // sweeps
constexpr Index least_exploring = 80;  // sweeps of warm-up in which chains can be compared

double log_density_of(const BayesModel& model, const BayesState& state, const Compute& compute) {
  double sum = 0;
  for (std::size_t v = 0; v < model.tables.size(); ++v)
    sum += log_probability(model.tables[v], state.views[v].scale,
                           functions_of(model.tables[v], state.views[v], state.X, compute), compute);
  return sum;
}

/// The mean over rows that are alike: the same number, with less noise of the chains.
Matrix pooled(const Matrix& M, const std::vector<Index>& first) {
  Matrix sum = Matrix::Zero(M.rows(), M.cols()), out(M.rows(), M.cols());
  Vector rows = Vector::Zero(M.rows());
  for (Index n = 0; n < M.rows(); ++n) {
    sum.row(first[static_cast<std::size_t>(n)]) += M.row(n);
    rows(first[static_cast<std::size_t>(n)]) += 1;
  }
  for (Index n = 0; n < M.rows(); ++n)
    out.row(n) = sum.row(first[static_cast<std::size_t>(n)]) / rows(first[static_cast<std::size_t>(n)]);
  return out;
}

/// Whether draw d of a chain is among `stored` of `draws`, spread evenly.
bool is_stored(Index d, Index draws, Index stored) { return (d + 1) * stored / draws > d * stored / draws; }

class Sampling {
 public:
  Sampling(const BayesData& data, const BayesOptions& options, std::uint64_t seed, BayesModel model,
           std::vector<BayesBeginning> beginnings, const BayesCheckpoint& so_far)
      : options_(options),
        automatic_(options.warmup == until_settled),
        warmup_(automatic_ ? longest_warmup : options.warmup),
        exploring_(automatic_ ? exploring_sweeps : options.warmup),
        rng_(Rng(seed).split("bayes")),
        model_(std::move(model)),
        beginnings_(std::move(beginnings)),
        monitors_(model_, data.data, rng_.split("monitors")) {
    stored_ = std::clamp<Index>(options.stored / options.chains, 1, options.draws);
    if (!options.latent.dynamic) alike_ = first_alike(model_.tables);
    if (automatic_ && so_far.warmup > 0) warmup_ = so_far.warmup;
    if (so_far.frame.size() > 0)
      frame_ = so_far.frame;
    else
      turn_to(beginnings_.front().X);
  }

  std::vector<BayesChain> begin(const Compute& compute) const {
    // More than there will be, if there are more starts: select() sees to that.
    std::vector<BayesChain> chains(explores() ? beginnings_.size()
                                              : static_cast<std::size_t>(options_.chains));
    for (std::size_t c = 0; c < chains.size(); ++c) {
      Rng own = rng_.split("start").split(c);
      // Chains begin apart, or agreeing would say little; paths begin smooth.
      BayesBeginning own_beginning = beginnings_[c % beginnings_.size()];
      Matrix& X = own_beginning.X;
      if (!options_.latent.dynamic) X += 0.1 * own.normal(X.rows(), X.cols());
      chains[c].state = start_at(model_, own_beginning, own.split("rest"), compute);
      chains[c].sum = chains[c].sum_squares = Matrix::Zero(X.rows(), X.cols());
      chains[c].monitored.resize(0, static_cast<Index>(monitors_.names().size()));
    }
    return chains;
  }

  Index warmup() const { return warmup_; }
  Index sweeps() const { return warmup_ + options_.draws * options_.thin; }
  bool warming(Index sweep) const { return sweep < warmup_; }
  bool draws(Index sweep) const { return !warming(sweep) && (sweep - warmup_ + 1) % options_.thin == 0; }
  Index number(Index sweep) const { return (sweep - warmup_) / options_.thin; }  // of a draw

  void step(BayesChain& chain, std::size_t c, Index number, const Compute& compute) const {
    // Rough paths make length-scales short, and short length-scales keep paths rough: smooth them first. Meanwhile functions
    // alone must explain what paths cannot yet. Counts in the thousands would take them to huge weights that cancel each other
    // at these latents and nowhere else, and to a variance from which no later sweep finds back.
    const bool smoothed = number >= std::min(smoothing, exploring_ / 2);
    sweep(model_, chain.state, chain.moves,
          {.move_latents = number >= std::min(settling, exploring_ / 4),
           .move_paths = smoothed,
           .move_amplitudes = smoothed || !options_.latent.dynamic},
          rng_.split("chain").split(c).split(static_cast<std::uint64_t>(number)), compute);
    if (warming(number) && number % tuning_every == tuning_every - 1) tune(chain.moves);
    if (smoothed) tune(chain.moves.trajectory, warming(number));
    if (!compares(number)) return;
    const Level level = log_posterior(
        model_, chain.state, rng_.split("level").split(c).split(static_cast<std::uint64_t>(number)), compute);
    chain.levels.push_back(level.value);
    chain.identities.push_back(level.identity);
    chain.log_steps.push_back(chain.moves.trajectory.tuning.log_mean);
  }

  /// Whether chains are compared before this sweep, and those in clearly lower modes go on as copies of better ones.
  bool selects(Index sweep) const {
    return explores() && (sweep == exploring_ / 4 || sweep == exploring_ / 2);
  }

  void select(std::vector<BayesChain>& chains) {
    const std::vector<Index> kept = going_on(levels_of(chains));
    std::vector<BayesChain> out;
    for (Index c = 0; c < options_.chains; ++c) {
      out.push_back(chains[static_cast<std::size_t>(kept[static_cast<std::size_t>(c) % kept.size()])]);
      forget(out.back());
    }
    chains = std::move(out);
    turn_to(chains.front().state.X);
  }

  /// Ends a warm-up before this sweep, if it ends when chains have settled and they have.
  void end_warmup(Index sweep, std::vector<BayesChain>& chains) {
    const Index more = sweep - exploring_;
    if (!automatic_ || !warming(sweep) || more < 0 || more % asking_every != 0) return;
    if (!settled(levels_of(chains), each(chains, &BayesChain::log_steps))) return;
    warmup_ = sweep;
    for (BayesChain& chain : chains) forget(chain);
  }

  /// Takes down the present state as a draw.
  BayesStored record(BayesChain& chain, Index sweep, double log_density, const Compute& compute) const {
    BayesStored draw = in_frame(chain.state);
    chain.sum += draw.X;
    chain.sum_squares += draw.X.cwiseAbs2();
    const Index d = number(sweep);
    chain.monitored.conservativeResize(d + 1, Eigen::NoChange);
    const double level =
        log_posterior(model_, chain.state, rng_.split("level of draw").split(static_cast<std::uint64_t>(d)),
                      compute)
            .value;
    chain.monitored.row(d) = monitors_.values(chain.state, level, log_density).transpose();
    if (is_stored(d, options_.draws, stored_)) chain.stored.push_back(draw);
    return draw;
  }

  BayesStored in_frame(const BayesState& state) const {
    return turned(state, frame_, options_.priors.covariate_sd);
  }
  const BayesModel& model() const { return model_; }
  const std::vector<BayesBeginning>& beginnings() const { return beginnings_; }
  const Matrix& frame() const { return frame_; }
  const Monitors& monitors() const { return monitors_; }
  const std::vector<Index>& alike() const { return alike_; }

 private:
  bool explores() const { return exploring_ >= least_exploring; }

  static std::vector<Vector> each(const std::vector<BayesChain>& chains,
                                  std::vector<double> BayesChain::*values) {
    std::vector<Vector> out;
    for (const BayesChain& chain : chains)
      out.push_back(Eigen::Map<const Vector>((chain.*values).data(), Index((chain.*values).size())));
    return out;
  }

  static std::vector<Vector> levels_of(const std::vector<BayesChain>& chains) {
    return less_noisy(each(chains, &BayesChain::levels), each(chains, &BayesChain::identities));
  }

  static void forget(BayesChain& chain) {
    chain.levels.clear();
    chain.identities.clear();
    chain.log_steps.clear();
  }

  /// The last third of the sweeps before each selection, and those after it that say whether chains have settled.
  bool compares(Index sweep) const {
    const Index quarter = exploring_ / 4, half = exploring_ / 2;
    if (!explores()) return false;
    if (sweep >= half) return automatic_ && warming(sweep);
    return sweep < quarter ? 3 * sweep >= 2 * quarter : 3 * (sweep - quarter) >= 2 * (half - quarter);
  }

  /// Samples that are alike are turned as alike, too.
  void turn_to(const Matrix& X) { frame_ = options_.latent.dynamic ? X : pooled(X, alike_); }

  BayesOptions options_;
  bool automatic_;   // warm-up ends when chains have settled ..
  Index warmup_;     // .. and here at the latest
  Index exploring_;  // sweeps of which the first half tries modes
  Rng rng_;
  BayesModel model_;
  std::vector<BayesBeginning> beginnings_;
  Matrix frame_;              // to which draws are turned
  std::vector<Index> alike_;  // without time, of each row the first that is alike
  Monitors monitors_;
  Index stored_ = 1;
};

/// Draws of one monitored quantity, chains x draws.
Matrix monitored(const std::vector<BayesChain>& chains, std::size_t quantity) {
  Matrix out(static_cast<Index>(chains.size()), chains.front().monitored.rows());
  for (std::size_t c = 0; c < chains.size(); ++c)
    out.row(static_cast<Index>(c)) = chains[c].monitored.col(static_cast<Index>(quantity)).transpose();
  return out;
}

std::vector<BayesMonitor> judge(const std::vector<std::string>& names,
                                const std::vector<BayesChain>& chains) {
  std::vector<BayesMonitor> out;
  if (chains.front().monitored.rows() < 4) return out;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const Matrix values = monitored(chains, k);
    out.push_back({names[k], rhat(values), ess_bulk(values), ess_tail(values)});
  }
  return out;
}

/// Results are those of chains in the best mode that was found; those in lower ones are taken out, and named.
std::vector<BayesLeftOut> leave_out(const Monitors& monitors, std::vector<BayesChain>& chains) {
  std::vector<Matrix> shared;
  for (std::size_t k = 0; k < monitors.shared(); ++k) shared.push_back(monitored(chains, k));
  const Matrix levels = monitored(chains, monitors.names().size() - 2);
  const std::vector<Index> lower = lower_chains(levels, shared);
  std::vector<BayesLeftOut> out;
  const double best = levels.rowwise().mean().maxCoeff();
  for (auto c = lower.rbegin(); c != lower.rend(); ++c) {
    out.insert(out.begin(), {*c, best - levels.row(*c).mean()});
    chains.erase(chains.begin() + *c);
  }
  return out;
}

BayesFit finish(const BayesData& data, const BayesOptions& options, const Sampling& sampling,
                std::vector<BayesChain> chains, std::uint64_t seed) {
  BayesFit fit{.ids = data.data.ids(), .options = options, .seed = seed};
  fit.left_out = leave_out(sampling.monitors(), chains);
  const Index draws = chains.front().monitored.rows();
  Matrix sum = Matrix::Zero(data.data.rows(), options.dims), squares = sum;
  fit.views = empty_views(data, options);
  fit.covariates = data.covariates;
  fit.design = data.design;
  fit.grid = sampling.model().grid;
  if (options.latent.dynamic) fit.axis = data.axis;
  fit.draws = draws * static_cast<Index>(chains.size());
  fit.log_density.resize(static_cast<Index>(chains.size()), draws);
  for (std::size_t c = 0; c < chains.size(); ++c) {
    sum += chains[c].sum;
    squares += chains[c].sum_squares;
    fit.log_density.row(static_cast<Index>(c)) = chains[c].monitored.rightCols(1).transpose();
    for (const BayesStored& stored : chains[c].stored) {
      fit.X.push_back(stored.X);
      if (!stored.paths.empty()) {
        fit.paths.push_back(stored.paths);
        fit.turns.push_back(stored.turn);
      }
      for (std::size_t v = 0; v < fit.views.size(); ++v) fit.views[v].draws.push_back(stored.functions[v]);
    }
  }
  if (!options.latent.dynamic) {
    sum = pooled(sum, sampling.alike());
    squares = pooled(squares, sampling.alike());
  }
  const double S = double(fit.draws);
  fit.latent.mean = sum / S;
  fit.latent.sd = (squares / S - fit.latent.mean.cwiseAbs2()).cwiseMax(0).cwiseSqrt();
  fit.monitors = judge(sampling.monitors().names(), chains);
  return fit;
}

/// Where chains begin, with what `hooks` want to hear of the search. `stopped` if they ended it.
std::vector<BayesBeginning> begin(const BayesData& data, const BayesModel& model, const BayesOptions& options,
                                  std::uint64_t seed, const BayesCheckpoint& so_far, const Compute& compute,
                                  const BayesHooks& hooks, bool& stopped) {
  if (!so_far.beginnings.empty()) return so_far.beginnings;
  const GplvmOptions gplvm = start_options(options, data.data.rows());
  const Index most = gplvm.steps * gplvm.restarts;
  GplvmHooks own{.keep_going = hooks.keep_going};
  if (so_far.start) own.resume = &*so_far.start;
  own.on_step = [&](const GplvmProgress& now) {
    if (!hooks.on_start) return true;
    stopped = !hooks.on_start({now.step.start * gplvm.steps + now.step.step, most, now.step.objective, false,
                               [&] {
                                 BayesCheckpoint out = so_far;
                                 out.start = now.checkpoint();
                                 return checkpoint_group(out);
                               },
                               now.latents});
    return !stopped;
  };
  std::vector<BayesBeginning> out = find_beginnings(data, model, options, seed, compute, own);
  if (hooks.on_start && !stopped)
    stopped = !hooks.on_start({most, most, 0, true,
                               [&] {
                                 BayesCheckpoint found = so_far;
                                 found.start.reset();
                                 found.beginnings = out;
                                 return checkpoint_group(found);
                               },
                               [&] { return out.front().X; }});
  return out;
}

}  // namespace

BayesFit fit_bayes(const BayesData& data, const BayesOptions& options, std::uint64_t seed,
                   const Compute& together, const BayesHooks& hooks) {
  check_bayes_options(data, options);
  Compute compute = together;  // processes share the start and the sweeps of chains; each does the rest
  compute.comm = Communicator::alone();
  bool stopped = false;
  BayesModel model = make_bayes_model(data, options);
  const BayesCheckpoint so_far =
      hooks.resume ? detail::bayes_checkpoint_from(*hooks.resume) : BayesCheckpoint{};
  std::vector<BayesBeginning> beginnings =
      begin(data, model, options, seed, so_far, together, hooks, stopped);
  Sampling sampling(data, options, seed, std::move(model), std::move(beginnings), so_far);
  const bool under_way = !so_far.chains.empty();
  std::vector<BayesChain> chains = under_way ? so_far.chains : sampling.begin(compute);
  Index sweep = under_way ? so_far.sweeps : 0;
  for (; sweep < sampling.sweeps() && !stopped; ++sweep) {
    if (sampling.selects(sweep)) sampling.select(chains);
    sampling.end_warmup(sweep, chains);
    const auto count = static_cast<Index>(chains.size());
    // Chains run side by side if there are enough of them; if not, each gets all threads in turn.
    const std::vector<Index> own = chains_of(together.comm, count);
    const bool side_by_side = Index(own.size()) >= compute.threads.count();
    const auto advance = [&](Index k) {
      const auto at = static_cast<std::size_t>(own[static_cast<std::size_t>(k)]);
      sampling.step(chains[at], at, sweep, side_by_side ? Threads(1) : compute);
    };
    if (side_by_side)
      compute.threads.run(Index(own.size()), advance);
    else
      for (Index k = 0; k < Index(own.size()); ++k) advance(k);
    exchange_chains(together.comm, chains);
    double first = 0;
    for (Index c = 0; c < count; ++c) {
      const auto at = static_cast<std::size_t>(c);
      const bool draw = sampling.draws(sweep);
      if (c > 0 && !draw) break;
      const double density = log_density_of(sampling.model(), chains[at].state, compute);
      if (c == 0) first = density;
      if (!draw) break;
      const BayesStored stored = sampling.record(chains[at], sweep, density, compute);
      if (hooks.on_draw)
        hooks.on_draw(
            {c, sampling.number(sweep), stored.X, stored.functions, stored.paths, stored.turn, density});
    }
    const BayesProgress progress{sweep + 1,
                                 sampling.sweeps(),
                                 sampling.warming(sweep),
                                 first,
                                 [&] {
                                   return checkpoint_group({.sweeps = sweep + 1,
                                                            .warmup = sampling.warmup(),
                                                            .chains = chains,
                                                            .beginnings = sampling.beginnings(),
                                                            .frame = sampling.frame()});
                                 },
                                 [&] { return sampling.in_frame(chains.front().state).X; }};
    stopped = hooks.on_sweep && !hooks.on_sweep(progress);
  }
  // Stopped before the first draw: the present states are the best there is.
  if (chains.size() > static_cast<std::size_t>(options.chains))
    chains.resize(static_cast<std::size_t>(options.chains));
  if (chains.front().monitored.rows() == 0)
    for (BayesChain& chain : chains)
      sampling.record(chain, sampling.warmup(), log_density_of(sampling.model(), chain.state, compute),
                      compute);
  for (BayesChain& chain : chains)
    if (chain.stored.empty()) chain.stored.push_back(sampling.in_frame(chain.state));
  BayesOptions taken = options;
  if (options.warmup == until_settled) taken.warmup = std::min(sweep, sampling.warmup());
  BayesFit fit = finish(data, taken, sampling, std::move(chains), seed);
  fit.status = stopped ? Status::stopped_by_callback : judged_status(fit);
  return fit;
}

}  // namespace bochner
