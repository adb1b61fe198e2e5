#include "bochner/models/harmonic/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/errors.hpp"
#include "entries.hpp"
#include "options_group.hpp"
#include "src/data/input_encoding_group.hpp"
#include "src/data/scaling_group.hpp"
#include "src/store/entries.hpp"
#include "src/store/model_kind.hpp"

namespace bochner {

namespace {

using detail::check_length, detail::count_from, detail::place;

constexpr const char* kind = "harmonic";  // what the file says it is

ModelGroup inputs_group(const InputMap& map) {
  ModelGroup out;
  out.set("columns", map.columns).set("centre", map.centre).set("scale", map.scale);
  detail::set_circles(out, map.circles);
  detail::set_spheres(out, map.spheres);
  return out;
}

/// What comes out must have the D columns that the kernel takes.
InputMap inputs_from(const ModelGroup& g, Index D) {
  InputMap map{.columns = g.texts("columns")};
  const auto M = static_cast<Index>(map.columns.size());
  map.circles = detail::circles_from(g, M);
  map.spheres = detail::spheres_from(g, M);
  map.centre = g.vector("centre");
  map.scale = g.vector("scale");
  std::vector<Index> used;
  for (const Circle& c : map.circles) used.push_back(c.column);
  for (const Sphere& s : map.spheres) used.insert(used.end(), {s.longitude, s.latitude});
  std::sort(used.begin(), used.end());
  if (std::adjacent_find(used.begin(), used.end()) != used.end())
    throw InputError(fmt::format("{}: circles and spheres share a column", g.where()));
  check_length(g, "columns", static_cast<Index>(map.names().size()), D);
  check_length(g, "centre", map.centre.size(), D);
  check_length(g, "scale", map.scale.size(), D);
  if (!map.centre.allFinite() || !map.scale.allFinite() || !(map.scale.array() > 0).all())
    throw InputError(fmt::format("{}: the scaling needs finite centres and positive scales", g.where()));
  return map;
}

ModelGroup compared_group(const std::vector<SymmetryScore>& scores) {
  ModelGroup out;
  out.set("count", scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    ModelGroup one;
    one.set("words", scores[i].words).set("groups", scores[i].groups).set("missed", scores[i].missed);
    out.set(place(i), std::move(one));
  }
  return out;
}

std::vector<SymmetryScore> compared_from(const ModelGroup& g) {
  std::vector<SymmetryScore> out;
  const Index count = count_from(g, "count");
  for (Index i = 0; i < count; ++i) {
    const ModelGroup& one = g.group(place(static_cast<std::size_t>(i)));
    out.push_back({one.texts("words"), count_from(one, "groups"), one.number("missed")});
  }
  return out;
}

/// Classes have a name each; 0 and 1 may have; numbers have none.
void check_classes(const ModelGroup& g, const HarmonicFit& fit) {
  const auto count = static_cast<Index>(fit.classes.size());
  if (std::holds_alternative<Softmax>(fit.gp.likelihood) ||
      std::holds_alternative<RobustMax>(fit.gp.likelihood))
    check_length(g, "classes", count, latents(fit.gp.likelihood));
  else if (count != 0)
    check_length(g, "classes", count, std::holds_alternative<Bernoulli>(fit.gp.likelihood) ? 2 : 0);
}

/// Files of earlier versions have none.
HarmonicCalibration calibration_from(const ModelGroup& g, Index outcomes) {
  HarmonicCalibration c{.temperature = g.number("temperature"),
                        .noise = g.vector("noise_factor"),
                        .spread = g.vector("noise_spread")};
  if (!(std::isfinite(c.temperature) && c.temperature > 0))
    throw InputError(fmt::format("{}: the temperature must be a positive number", g.where()));
  check_length(g, "noise_spread", c.spread.size(), c.noise.size());
  if (c.noise.size() > 0) check_length(g, "noise_factor", c.noise.size(), outcomes);
  constexpr double largest_spread = 100;  // of a log variance
  if (!c.noise.allFinite() || !(c.noise.array() > 0).all() || !c.spread.allFinite() ||
      (c.spread.array() < 0).any() || (c.spread.array() > largest_spread).any())
    throw InputError(fmt::format(
        "{}: the calibration needs positive factors of the noise and spreads from 0 to 100", g.where()));
  return c;
}

}  // namespace

ModelGroup harmonic_group(const HarmonicFit& fit) {
  // A new member does not compile until it is written.
  const auto& [gp, inputs, scaling, outcomes, classes, symmetries, compared, rows, steps, bound, status,
               trace, notes, options, seed, encoding, calibration] = fit;
  ModelGroup out;
  out.set("model", kind).set("gp", detail::harmonic_gp_group(gp)).set("inputs", inputs_group(inputs));
  out.set("outputs", detail::scaling_group(scaling)).set("outcomes", outcomes).set("classes", classes);
  out.set("symmetries", symmetries).set("compared", compared_group(compared));
  out.set("rows", rows).set("steps", steps).set("bound", bound);
  out.set("status", to_string(status)).set("notes", notes);
  detail::set_trace(out, trace);
  out.set("options", detail::harmonic_options_group(options)).set("seed", seed);
  out.set("temperature", calibration.temperature);
  out.set("noise_factor", calibration.noise).set("noise_spread", calibration.spread);
  if (!encoding.columns.empty()) out.set("encoding", detail::input_encoding_group(encoding));
  return out;
}

HarmonicFit harmonic_from(const ModelGroup& g) {
  detail::check_kind(g, kind);
  HarmonicGp gp = detail::harmonic_gp_from(g.group("gp"));
  const Index D = gp.inputs(), outcomes = outputs(gp.likelihood);
  InputMap inputs = inputs_from(g.group("inputs"), D);
  HarmonicFit fit{.gp = std::move(gp),
                  .inputs = std::move(inputs),
                  .outputs = detail::scaling_from(g.group("outputs"), outcomes),
                  .outcomes = g.texts("outcomes"),
                  .classes = g.texts("classes"),
                  .symmetries = g.texts("symmetries"),
                  .compared = compared_from(g.group("compared")),
                  .rows = count_from(g, "rows"),
                  .steps = count_from(g, "steps"),
                  .bound = g.number("bound"),
                  .status = parse_status(g.text("status")),
                  .trace = detail::harmonic_trace_from(g),
                  .notes = g.texts("notes")};
  check_length(g, "outcomes", static_cast<Index>(fit.outcomes.size()), outcomes);
  check_classes(g, fit);
  fit.options =
      detail::harmonic_options_from(g.group("options"), static_cast<Index>(fit.inputs.columns.size()));
  fit.seed = static_cast<std::uint64_t>(g.integer("seed"));
  if (g.has("temperature")) fit.calibration = calibration_from(g, outcomes);
  if (g.has("encoding")) fit.encoding = detail::input_encoding_from(g.group("encoding"));
  if (!fit.encoding.columns.empty() && fit.encoding.names() != fit.inputs.columns)
    throw InputError(
        fmt::format("{}: the encoding of the inputs gives other columns than the model has", g.where()));
  return fit;
}

void write_harmonic(const std::string& path, const HarmonicFit& fit) {
  write_model(path, harmonic_group(fit));
}
HarmonicFit read_harmonic(const std::string& path) { return harmonic_from(read_model(path)); }

}  // namespace bochner
