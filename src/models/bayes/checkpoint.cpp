#include "checkpoint.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/models/bayes/file.hpp"
#include "bochner/models/bayes/names.hpp"
#include "entries.hpp"
#include "src/data/scaling_group.hpp"
#include "src/store/entries.hpp"
#include "src/store/model_kind.hpp"

namespace bochner {

namespace detail {

namespace {

constexpr const char* checkpoint_kind = "bayes checkpoint";

ModelGroup state_group(const BayesViewState& view, const FrequencyMoves& moves) {
  const auto K = static_cast<Index>(view.mixture.components.size());
  const Index Q = view.W.cols();
  Matrix means(K, Q), factors(K, Q * Q);
  for (Index k = 0; k < K; ++k) {
    const SpectralComponent& c = view.mixture.components[static_cast<std::size_t>(k)];
    means.row(k) = c.mean.transpose();
    factors.row(k) = Eigen::Map<const Eigen::RowVectorXd>(c.L.data(), Q * Q);
  }
  ModelGroup out;
  return out.set("W", view.W)
      .set("member", integers(view.mixture.member))
      .set("means", means)
      .set("factors", factors)
      .set("alpha", view.mixture.alpha)
      .set("amplitude", view.amplitude)
      .set("B", view.B)
      .set("scale", view.scale)
      .set("rate", view.rate)
      .set("step", moves.step)
      .set("counts",
           std::vector<std::int64_t>{moves.proposed, moves.accepted, moves.fresh, moves.fresh_accepted});
}

BayesViewState state_from(const ModelGroup& g, Index Q, FrequencyMoves& moves) {
  BayesViewState view{.W = g.matrix("W"),
                      .mixture = {},
                      .amplitude = g.number("amplitude"),
                      .B = g.matrix("B"),
                      .scale = g.vector("scale"),
                      .rate = g.number("rate")};
  check_shape(g, "W", view.W, view.W.rows(), Q);
  view.mixture.member = indices(g.integers("member"));
  check_length(g, "member", static_cast<Index>(view.mixture.member.size()), view.W.rows());
  const Matrix &means = g.matrix("means"), &factors = g.matrix("factors");
  check_shape(g, "means", means, means.rows(), Q);
  check_shape(g, "factors", factors, means.rows(), Q * Q);
  for (Index k = 0; k < means.rows(); ++k) {
    const Vector flat = factors.row(k).transpose();
    view.mixture.components.push_back(
        {means.row(k).transpose(), Eigen::Map<const Matrix>(flat.data(), Q, Q)});
  }
  for (const Index k : view.mixture.member)
    if (k < 0 || k >= means.rows())
      throw InputError(fmt::format("{}: entry 'member' names no component", g.where()));
  view.mixture.alpha = g.number("alpha");
  const std::vector<std::int64_t>& counts = g.integers("counts");
  check_length(g, "counts", static_cast<Index>(counts.size()), 4);
  moves = {g.number("step"), counts[0], counts[1], counts[2], counts[3]};
  return view;
}

ModelGroup stored_group(const BayesStored& stored) {
  ModelGroup out, functions;
  for (std::size_t v = 0; v < stored.functions.size(); ++v)
    functions.set(place(v), functions_group(stored.functions[v]));
  return out.set("X", stored.X)
      .set("functions", functions)
      .set("paths", paths_matrix(stored.paths))
      .set("turn", stored.turn);
}

ModelGroup trajectory_group(const TrajectoryMoves& moves) {
  ModelGroup out;
  return out.set("step", moves.step)
      .set("mu", moves.tuning.mu)
      .set("log_step", moves.tuning.log_step)
      .set("log_mean", moves.tuning.log_mean)
      .set("error_mean", moves.tuning.error_mean)
      .set("count", moves.tuning.count);
}

TrajectoryMoves trajectory_from(const ModelGroup& g) {
  TrajectoryMoves out{.step = g.number("step")};
  out.tuning = {g.number("mu"), g.number("log_step"), g.number("log_mean"), g.number("error_mean"),
                count_from(g, "count")};
  return out;
}

Vector vector_of(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

ModelGroup chain_group(const BayesChain& chain) {
  ModelGroup out, views, stored;
  for (std::size_t v = 0; v < chain.state.views.size(); ++v)
    views.set(place(v), state_group(chain.state.views[v], chain.moves.frequencies[v]));
  for (std::size_t s = 0; s < chain.stored.size(); ++s) stored.set(place(s), stored_group(chain.stored[s]));
  return out.set("X", chain.state.X)
      .set("paths", paths_matrix(chain.state.paths))
      .set("trajectory", trajectory_group(chain.moves.trajectory))
      .set("views", views)
      .set("levels", vector_of(chain.levels))
      .set("identities", vector_of(chain.identities))
      .set("log_steps", vector_of(chain.log_steps))
      .set("sum", chain.sum)
      .set("sum_squares", chain.sum_squares)
      .set("monitored", chain.monitored)
      .set("stored_count", chain.stored.size())
      .set("stored", stored);
}

BayesChain chain_from(const ModelGroup& g, Index V, PathKind path) {
  BayesChain chain;
  chain.state.X = g.matrix("X");
  const Index N = chain.state.X.rows(), Q = chain.state.X.cols();
  chain.state.paths = paths_from(g, g.matrix("paths"), path);
  for (Index v = 0; v < V; ++v) {
    FrequencyMoves moves;
    chain.state.views.push_back(
        state_from(g.group("views").group(place(static_cast<std::size_t>(v))), Q, moves));
    chain.moves.frequencies.push_back(moves);
  }
  chain.moves.trajectory = trajectory_from(g.group("trajectory"));
  if (g.has("levels")) {  // since chains are compared in warm-up
    const Vector& levels = g.vector("levels");
    chain.levels.assign(levels.begin(), levels.end());
  }
  for (const auto& [name, values] :
       {std::pair{"identities", &chain.identities}, {"log_steps", &chain.log_steps}}) {
    if (!g.has(name)) continue;  // of an earlier release
    const Vector& own = g.vector(name);
    check_length(g, name, own.size(), static_cast<Index>(chain.levels.size()));
    values->assign(own.begin(), own.end());
  }
  chain.sum = g.matrix("sum");
  chain.sum_squares = g.matrix("sum_squares");
  check_shape(g, "sum", chain.sum, N, Q);
  check_shape(g, "sum_squares", chain.sum_squares, N, Q);
  chain.monitored = g.matrix("monitored");
  const Index stored = count_from(g, "stored_count");
  for (Index s = 0; s < stored; ++s) {
    const ModelGroup& own = g.group("stored").group(place(static_cast<std::size_t>(s)));
    BayesStored draw{.X = own.matrix("X"),
                     .functions = {},
                     .paths = paths_from(own, own.matrix("paths"), path),
                     .turn = own.matrix("turn")};
    check_shape(own, "X", draw.X, N, Q);
    check_shape(own, "turn", draw.turn, Q, Q);
    for (Index v = 0; v < V; ++v)
      draw.functions.push_back(
          functions_from(own.group("functions").group(place(static_cast<std::size_t>(v))), Q));
    chain.stored.push_back(std::move(draw));
  }
  return chain;
}

ModelGroup beginning_group(const BayesBeginning& b) {
  ModelGroup out, sds;
  for (std::size_t v = 0; v < b.frequency_sd.size(); ++v) sds.set(place(v), b.frequency_sd[v]);
  return out.set("X", b.X)
      .set("paths", paths_matrix(b.paths))
      .set("frequency_sd_count", b.frequency_sd.size())
      .set("frequency_sd", sds);
}

BayesBeginning beginning_from(const ModelGroup& g, PathKind path) {
  BayesBeginning out{.X = g.matrix("X"), .paths = paths_from(g, g.matrix("paths"), path)};
  const Index Q = out.X.cols(), views = count_from(g, "frequency_sd_count");
  if (!out.paths.empty()) check_length(g, "paths", static_cast<Index>(out.paths.size()), Q);
  for (Index v = 0; v < views; ++v) {
    out.frequency_sd.push_back(g.group("frequency_sd").vector(place(static_cast<std::size_t>(v))));
    check_length(g, "frequency_sd", out.frequency_sd.back().size(), Q);
  }
  return out;
}

/// Of the paths over time, if there are any.
PathKind path_kind(const BayesCheckpoint& c) {
  if (!c.beginnings.empty() && !c.beginnings.front().paths.empty())
    return c.beginnings.front().paths.front().kind;
  const bool of_chains = !c.chains.empty() && !c.chains.front().state.paths.empty();
  return of_chains ? c.chains.front().state.paths.front().kind : PathKind::matern32;
}

}  // namespace

ModelGroup checkpoint_group(const BayesCheckpoint& c) {
  ModelGroup out, chains;
  for (std::size_t i = 0; i < c.chains.size(); ++i) chains.set(place(i), chain_group(c.chains[i]));
  out.set("model", checkpoint_kind)
      .set("sweeps", c.sweeps)
      .set("warmup", c.warmup)
      .set("path", to_text(path_kind(c)))
      .set("view_count", c.chains.empty() ? 0 : c.chains.front().state.views.size())
      .set("chain_count", c.chains.size())
      .set("chains", chains);
  if (c.start) out.set("start", *c.start);
  if (c.beginnings.empty()) return out;
  ModelGroup beginnings;
  for (std::size_t i = 0; i < c.beginnings.size(); ++i)
    beginnings.set(place(i), beginning_group(c.beginnings[i]));
  return out.set("beginning_count", c.beginnings.size()).set("beginnings", beginnings).set("frame", c.frame);
}

BayesCheckpoint bayes_checkpoint_from(const ModelGroup& g) {
  check_kind(g, checkpoint_kind);
  BayesCheckpoint out{.sweeps = count_from(g, "sweeps"), .chains = {}};
  const Index chains = count_from(g, "chain_count"), views = count_from(g, "view_count");
  const PathKind path = parse_path_kind(g.text("path"));
  if (g.has("warmup")) out.warmup = count_from(g, "warmup");
  // Checkpoints of earlier releases have chains alone.
  if (g.has("start")) out.start = g.group("start");
  if (g.has("beginning"))  // before chains began at different places
    out.beginnings.push_back(beginning_from(g.group("beginning"), path));
  if (g.has("beginnings")) {
    const Index count = count_from(g, "beginning_count");
    for (Index i = 0; i < count; ++i)
      out.beginnings.push_back(
          beginning_from(g.group("beginnings").group(place(static_cast<std::size_t>(i))), path));
    out.frame = g.matrix("frame");
  }
  const bool before_sweeps = out.start || !out.beginnings.empty();
  if ((chains < 1 || views < 1) && !(chains == 0 && before_sweeps))
    throw InputError(fmt::format("{}: it holds no chain", g.where()));
  for (Index c = 0; c < chains; ++c)
    out.chains.push_back(
        chain_from(g.group("chains").group(place(static_cast<std::size_t>(c))), views, path));
  return out;
}

}  // namespace detail

BayesCheckpointProgress bayes_checkpoint_progress(const ModelGroup& checkpoint) {
  const detail::BayesCheckpoint c = detail::bayes_checkpoint_from(checkpoint);
  const auto chains = static_cast<Index>(c.chains.size());
  return {.sweeps = c.sweeps,
          .draws = chains == 0 ? 0 : chains * c.chains.front().monitored.rows(),
          .start_done = !c.beginnings.empty()};
}

}  // namespace bochner
