#include "checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/harmonic/file.hpp"
#include "entries.hpp"
#include "src/store/entries.hpp"
#include "src/store/model_kind.hpp"

namespace bochner {

namespace detail {

namespace {

constexpr const char* kind = "harmonic checkpoint";

ModelGroup adam_group(const std::vector<AdamState>& states) {
  ModelGroup out;
  out.set("states", states.size());
  for (std::size_t i = 0; i < states.size(); ++i) {
    ModelGroup state;
    state.set("m", states[i].m).set("v", states[i].v).set("count", states[i].count);
    out.set(place(i), std::move(state));
  }
  return out;
}

/// At least those of the kernel and the likelihood. Whether moments fit what they move, AdamState::step sees.
std::vector<AdamState> adam_from(const ModelGroup& g) {
  const Index count = count_from(g, "states");
  if (count < 2)
    throw InputError(
        fmt::format("{}: a checkpoint has at least two states of Adam, not {}", g.where(), count));
  std::vector<AdamState> out;
  for (Index i = 0; i < count; ++i) {
    const ModelGroup& state = g.group(place(static_cast<std::size_t>(i)));
    out.push_back({.m = state.vector("m"), .v = state.vector("v"), .count = count_from(state, "count")});
    check_length(state, "v", out.back().v.size(), out.back().m.size());
  }
  return out;
}

/// -1 for "not yet", or a step that has been.
Index past_step(const ModelGroup& g, const char* name, Index now) {
  const Index step = g.integer(name);
  if (step < -1 || step > now)
    throw InputError(fmt::format("{}: the entry {} is {}, but {} were taken", g.where(), quote(name), step,
                                 counted(now, "step")));
  return step;
}

bool alike_layers(const HiddenLayer& a, const HiddenLayer& b) {
  return a.kernel.index() == b.kernel.index() && parameter_count(a.kernel) == parameter_count(b.kernel) &&
         a.motions.size() == b.motions.size() && a.groups() == b.groups() && a.inducing() == b.inducing() &&
         a.inputs() == b.inputs() && a.outputs() == b.outputs() && a.map.rows() == b.map.rows();
}

/// The best posterior has the shapes of the present one.
void check_alike(const ModelGroup& g, const HarmonicGp& best, const HarmonicGp& now) {
  const bool alike =
      best.kernel.index() == now.kernel.index() &&
      parameter_count(best.kernel) == parameter_count(now.kernel) &&
      best.likelihood.index() == now.likelihood.index() && best.latents() == now.latents() &&
      best.motions.size() == now.motions.size() && best.groups() == now.groups() &&
      best.Z.size() == now.Z.size() && best.inducing() == now.inducing() &&
      best.Z.front().cols() == now.Z.front().cols() &&
      best.patch_sum.has_value() == now.patch_sum.has_value() && best.inputs() == now.inputs() &&
      std::equal(best.hidden.begin(), best.hidden.end(), now.hidden.begin(), now.hidden.end(), alike_layers);
  if (!alike)
    throw InputError(
        fmt::format("{}: the best model so far is not of the shape of the present one", g.where()));
}

}  // namespace

ModelGroup checkpoint_group(const HarmonicCheckpoint& c) {
  // A new member does not compile until it is written.
  const auto& [step, retries, cool_from, gp, adam, precision, smoothed, smoothing_weight, best, best_step,
               best_gp, trace] = c;
  ModelGroup out;
  out.set("model", kind).set("step", step).set("retries", retries).set("cool_from", cool_from);
  out.set("gp", harmonic_gp_group(gp)).set("adam", adam_group(adam)).set("natural", !precision.empty());
  if (!precision.empty()) set_squares(out, "precision", precision);
  out.set("smoothed", smoothed).set("smoothing_weight", smoothing_weight);
  out.set("best", best).set("best_step", best_step);
  if (best_step >= 0) out.set("best_gp", harmonic_gp_group(best_gp));
  set_trace(out, trace);
  return out;
}

HarmonicCheckpoint harmonic_checkpoint_from(const ModelGroup& g) {
  check_kind(g, kind);
  HarmonicCheckpoint c{.step = count_from(g, "step"), .retries = count_from(g, "retries")};
  c.cool_from = past_step(g, "cool_from", c.step);
  c.gp = harmonic_gp_from(g.group("gp"));
  c.adam = adam_from(g.group("adam"));
  if (g.flag("natural")) {
    const Index H = c.gp.groups(), P = c.gp.latents(), m = c.gp.inducing();
    c.precision = squares_from(g, "precision", H, P, m);
    for (std::size_t h = 0; h < c.precision.size(); ++h)
      check_length(g, "precision_counts", static_cast<Index>(c.precision[h].size()),
                   static_cast<Index>(c.gp.factor[h].size()));
  }
  c.smoothed = g.number("smoothed");
  c.smoothing_weight = g.number("smoothing_weight");
  c.best = g.number("best");
  c.best_step = past_step(g, "best_step", c.step);
  c.best_gp = c.best_step >= 0 ? harmonic_gp_from(g.group("best_gp")) : c.gp;
  check_alike(g, c.best_gp, c.gp);
  c.trace = harmonic_trace_from(g);
  return c;
}

}  // namespace detail

Index harmonic_checkpoint_steps(const ModelGroup& checkpoint) {
  return detail::harmonic_checkpoint_from(checkpoint).step;
}

}  // namespace bochner
