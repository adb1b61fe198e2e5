#include "checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/gplvm/file.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "src/store/entries.hpp"
#include "src/store/model_kind.hpp"
#include "trace.hpp"

namespace bochner {

namespace detail {

namespace {

constexpr const char* kind = "gplvm checkpoint";

ModelGroup state_group(const AdamState& state) {
  ModelGroup out;
  out.set("m", state.m).set("v", state.v).set("count", state.count);
  return out;
}

/// The moments are empty before the first step, and of the length of theta thereafter.
AdamState state_from(const ModelGroup& g, Index length) {
  AdamState out{.m = g.vector("m"), .v = g.vector("v"), .count = count_from(g, "count")};
  if (out.m.size() == 0 && out.v.size() == 0) return out;
  check_length(g, "m", out.m.size(), length);
  check_length(g, "v", out.v.size(), length);
  return out;
}

ModelGroup run_group(const AdamRun& run) {
  ModelGroup out;
  out.set("theta", run.theta).set("state", state_group(run.state)).set("iteration", run.iteration);
  out.set("retries", run.retries).set("smoothed", run.smoothed).set("smoothing_weight", run.smoothing_weight);
  out.set("best_theta", run.best_theta).set("best_state", state_group(run.best_state));
  out.set("best_value", run.best_value).set("best_gradient_norm", run.best_gradient_norm);
  out.set("flat_value", run.flat_value).set("flat_for", run.flat_for);
  out.set("previous", run.previous).set("before_previous", run.before_previous);
  out.set("noise", run.noise).set("falls", run.falls);
  return out;
}

AdamRun run_from(const ModelGroup& g) {
  AdamRun run;
  run.theta = g.vector("theta");
  run.state = state_from(g.group("state"), run.theta.size());
  run.iteration = count_from(g, "iteration");
  run.retries = count_from(g, "retries");
  run.smoothed = g.number("smoothed");
  run.smoothing_weight = g.number("smoothing_weight");
  run.best_theta = g.vector("best_theta");
  if (run.best_theta.size() > 0) check_length(g, "best_theta", run.best_theta.size(), run.theta.size());
  run.best_state = state_from(g.group("best_state"), run.theta.size());
  run.best_value = g.number("best_value");
  run.best_gradient_norm = g.number("best_gradient_norm");
  run.flat_value = g.number("flat_value");
  run.flat_for = count_from(g, "flat_for");
  run.previous = g.number("previous");
  run.before_previous = g.number("before_previous");
  run.noise = g.number("noise");
  run.falls = count_from(g, "falls");
  return run;
}

constexpr std::array<const char*, 3> phase_names{"climb", "cool", "check"};

GplvmCheckpoint::Phase phase_from(const ModelGroup& g) {
  const std::string name = g.text("phase");
  const auto* const at = std::find(phase_names.begin(), phase_names.end(), name);
  if (at == phase_names.end())
    throw InputError(fmt::format("{}: there is no phase {}", g.where(), quote(name)));
  return static_cast<GplvmCheckpoint::Phase>(at - phase_names.begin());
}

ModelGroup guesses_group(const std::vector<Vector>& guesses) {
  ModelGroup out;
  out.set("count", guesses.size());
  for (std::size_t v = 0; v < guesses.size(); ++v) out.set(place(v), guesses[v]);
  return out;
}

std::vector<Vector> guesses_from(const ModelGroup& g) {
  std::vector<Vector> out;
  const Index count = count_from(g, "count");
  for (Index v = 0; v < count; ++v) out.push_back(g.vector(place(static_cast<std::size_t>(v))));
  return out;
}

}  // namespace

ModelGroup checkpoint_group(const GplvmCheckpoint& c) {
  ModelGroup out;
  out.set("model", kind).set("start", c.start).set("phase", phase_names[static_cast<std::size_t>(c.phase)]);
  out.set("released", c.released)
      .set("refined", c.refined)
      .set("settled", c.settled)
      .set("moved", c.moved)
      .set("first", c.first)
      .set("reached", c.reached)
      .set("climbed", Vector{{c.climbed[0], c.climbed[1]}});
  out.set("simple_theta", c.simple_theta).set("simple_guesses", guesses_group(c.simple_guesses));
  out.set("simple_value", c.simple_value);
  out.set("steps_before", c.steps_before)
      .set("run", run_group(c.run))
      .set("guesses", guesses_group(c.guesses));
  out.set("trace", trace_matrix(c.trace)).set("ended", numbers(c.ended));
  out.set("best_theta", c.best_theta).set("best_guesses", guesses_group(c.best_guesses));
  out.set("best_start", c.best_start)
      .set("best_steps", c.best_steps)
      .set("best_status", to_string(c.best_status));
  out.set("jitter", c.jitter);
  return out;
}

GplvmCheckpoint gplvm_checkpoint_from(const ModelGroup& g) {
  check_kind(g, kind);
  GplvmCheckpoint c;
  c.start = count_from(g, "start");
  c.phase = phase_from(g);
  c.released = g.flag("released");
  c.first = g.number("first");
  c.reached = g.number("reached");
  if (!g.has("climbed"))
    throw InputError(
        fmt::format("{}: the checkpoint is of an earlier version; start anew without resuming", g.where()));
  const Vector climbed = g.vector("climbed");
  check_length(g, "climbed", climbed.size(), 2);
  c.climbed = {climbed(0), climbed(1)};
  c.simple_theta = g.vector("simple_theta");
  c.simple_guesses = guesses_from(g.group("simple_guesses"));
  c.simple_value = g.number("simple_value");
  c.refined = g.flag("refined");
  c.settled = g.flag("settled");
  c.moved = g.flag("moved");
  c.steps_before = count_from(g, "steps_before");
  c.run = run_from(g.group("run"));
  c.guesses = guesses_from(g.group("guesses"));
  c.trace = trace_from(g);
  c.ended = numbers(g.vector("ended"));
  c.best_theta = g.vector("best_theta");
  c.best_guesses = guesses_from(g.group("best_guesses"));
  c.best_start = count_from(g, "best_start");
  c.best_steps = count_from(g, "best_steps");
  c.best_status = parse_status(g.text("best_status"));
  c.jitter = g.number("jitter");
  return c;
}

}  // namespace detail

ModelGroup gplvm_checkpoint_of_the_beginning() { return detail::checkpoint_group({}); }

Index gplvm_checkpoint_steps(const ModelGroup& checkpoint) {
  const detail::GplvmCheckpoint c = detail::gplvm_checkpoint_from(checkpoint);
  return c.steps_before + c.run.iteration;
}

}  // namespace bochner
