#include "bochner/models/gplvm/file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/kernels/kernel_group.hpp"
#include "bochner/models/gplvm/cross_view.hpp"
#include "bochner/models/gplvm/names.hpp"
#include "src/data/scaling_group.hpp"
#include "src/store/entries.hpp"
#include "src/store/model_kind.hpp"
#include "trace.hpp"
#include "weights.hpp"

namespace bochner {

namespace {

using detail::check_length, detail::check_shape, detail::columns_from, detail::count_from, detail::integers,
    detail::place, detail::scaling_from, detail::scaling_group;

constexpr const char* kind = "gplvm";  // what the file says it is

ModelGroup view_options_group(const GplvmViewOptions& options) {
  ModelGroup out;
  out.set("kernel", options.kernel)
      .set("components", options.components)
      .set("scaling", to_text(options.scaling));
  if (options.fixed_noise) out.set("fixed_noise", *options.fixed_noise);
  if (options.first_noise != GplvmViewOptions{}.first_noise) out.set("first_noise", options.first_noise);
  return out;
}

GplvmViewOptions view_options_from(const ModelGroup& group) {
  GplvmViewOptions out{.kernel = group.text("kernel"),
                       .components = count_from(group, "components"),
                       .scaling = parse_scaling(group.text("scaling"))};
  if (group.has("fixed_noise")) out.fixed_noise = group.number("fixed_noise");
  if (group.has("first_noise")) out.first_noise = group.number("first_noise");
  return out;
}

ModelGroup options_group(const GplvmOptions& o) {
  ModelGroup out;
  out.set("dims", o.dims).set("view", view_options_group(o.view)).set("own_count", o.own.size());
  for (std::size_t v = 0; v < o.own.size(); ++v)
    if (o.own[v]) out.set("own_" + place(v), view_options_group(*o.own[v]));
  out.set("features", to_text(o.features)).set("precision", to_text(o.precision));
  out.set("steps", o.steps)
      .set("step_size", o.step_size)
      .set("cooling", o.cooling)
      .set("patience", o.patience);
  out.set("tolerance", o.tolerance).set("race", o.race).set("restarts", o.restarts);
  return out;
}

GplvmOptions options_from(const ModelGroup& g) {
  GplvmOptions o{.dims = count_from(g, "dims"), .view = view_options_from(g.group("view"))};
  const Index own = count_from(g, "own_count");
  check_length(g, "own_count", own > 1'000'000 ? own : 0, 0);
  o.own.resize(static_cast<std::size_t>(own));
  for (std::size_t v = 0; v < o.own.size(); ++v)
    if (g.has("own_" + place(v))) o.own[v] = view_options_from(g.group("own_" + place(v)));
  o.features = parse_features(g.text("features"), gplvm_feature_kinds);
  o.precision = parse_precision(g.text("precision"));
  o.steps = count_from(g, "steps");
  o.step_size = g.number("step_size");
  o.cooling = count_from(g, "cooling");
  o.patience = count_from(g, "patience");
  o.tolerance = g.number("tolerance");
  o.race = g.flag("race");
  o.restarts = count_from(g, "restarts");
  return o;
}

ModelGroup view_group(const GplvmView& v) {
  ModelGroup out;
  out.set("name", v.name).set("columns", v.columns).set("scaling", scaling_group(v.scaling));
  out.set("unmeasured", integers(v.unmeasured))
      .set("constant", integers(v.constant))
      .set("kernel", kernel_group(v.kernel));
  out.set("noise_variance", v.noise_variance).set("noise", v.noise).set("calibration", v.calibration);
  out.set("Z", v.Z).set("G", v.G).set("W", v.W);
  out.set("lambda", v.lambda).set("amplitude", v.amplitude).set("ratio", v.ratio);
  if (v.row_median > 0) out.set("row_median", v.row_median);
  return out;
}

double positive(const ModelGroup& g, const char* name) {
  const double value = g.number(name);
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(fmt::format("{}: '{}' must be a positive number", g.where(), name));
  return value;
}

Vector positives(const ModelGroup& g, const char* name, Index length) {
  Vector out = g.vector(name);
  check_length(g, name, out.size(), length);
  if (!(out.array() > 0).all() || !out.allFinite())
    throw InputError(fmt::format("{}: '{}' must be positive numbers", g.where(), name));
  return out;
}

GplvmView view_from(const ModelGroup& g, Index Q) {
  GplvmView v{.name = g.text("name"), .columns = g.texts("columns")};
  const auto M = static_cast<Index>(v.columns.size());
  v.scaling = scaling_from(g.group("scaling"), M);
  v.unmeasured = columns_from(g, "unmeasured", M);
  v.constant = columns_from(g, "constant", M);
  v.kernel = kernel_from(g.group("kernel"), Q);
  v.noise_variance = positive(g, "noise_variance");
  if (g.has("row_median")) v.row_median = positive(g, "row_median");  // since rows can be normalised
  v.Z = g.matrix("Z");
  const Index m = v.Z.rows();
  check_shape(g, "Z", v.Z, m, Q);
  if (g.has("R")) {  // before columns had noise of their own
    const Matrix alpha = g.matrix("alpha"), R = g.matrix("R");
    check_shape(g, "alpha", alpha, m, M);
    check_shape(g, "R", R, m, m);
    set_functions(v, alpha, R);
    return v;
  }
  v.noise = positives(g, "noise", M);
  v.calibration = positive(g, "calibration");
  v.G = g.matrix("G");
  v.W = g.matrix("W");
  v.lambda = g.vector("lambda");
  if (!(v.lambda.array() >= 0).all() || !v.lambda.allFinite())
    throw InputError(fmt::format("{}: 'lambda' must be non-negative numbers", g.where()));
  v.amplitude = positives(g, "amplitude", M);
  v.ratio = positives(g, "ratio", M);
  check_shape(g, "G", v.G, m, v.lambda.size());
  check_shape(g, "W", v.W, v.lambda.size(), M);
  return v;
}

}  // namespace

ModelGroup gplvm_group(const GplvmFit& fit) {
  ModelGroup views;
  for (std::size_t v = 0; v < fit.views.size(); ++v) views.set(place(v), view_group(fit.views[v]));
  ModelGroup out;
  out.set("model", kind)
      .set("ids", fit.ids)
      .set("latent_mean", fit.latent.mean)
      .set("latent_sd", fit.latent.sd);
  out.set("view_count", fit.views.size()).set("views", std::move(views));
  if (!fit.cross_views.predictors.empty()) out.set("cross_views", cross_views_group(fit.cross_views));
  if (!fit.label_view.empty()) out.set("label_view", fit.label_view);
  out.set("objective", fit.objective).set("steps", fit.steps).set("status", to_string(fit.status));
  out.set("jitter", fit.jitter)
      .set("start", fit.start)
      .set("start_objectives", detail::numbers(fit.start_objectives));
  out.set("trace", detail::trace_matrix(fit.trace)).set("features", to_text(fit.features));
  out.set("options", options_group(fit.options)).set("seed", fit.seed);
  return out;
}

GplvmFit gplvm_from(const ModelGroup& g) {
  detail::check_kind(g, kind);
  GplvmFit fit{.ids = g.texts("ids"), .latent = {g.matrix("latent_mean"), g.matrix("latent_sd")}};
  const auto N = static_cast<Index>(fit.ids.size());
  const Index Q = fit.dims();
  check_shape(g, "latent_mean", fit.latent.mean, N, Q);
  check_shape(g, "latent_sd", fit.latent.sd, N, Q);
  if (Q < 1) throw InputError(fmt::format("{}: the model has no latent dimension", g.where()));
  const Index views = count_from(g, "view_count");
  if (views < 1) throw InputError(fmt::format("{}: the model has no views", g.where()));
  for (Index v = 0; v < views; ++v)
    fit.views.push_back(view_from(g.group("views").group(place(static_cast<std::size_t>(v))), Q));
  if (g.has("cross_views"))  // not in files of versions that had none
    fit.cross_views = cross_views_from(g.group("cross_views"), fit);
  if (g.has("label_view")) {
    fit.label_view = g.text("label_view");
    fit.view(fit.label_view);  // complains
  }
  fit.objective = g.number("objective");
  fit.steps = count_from(g, "steps");
  fit.status = parse_status(g.text("status"));
  fit.jitter = g.number("jitter");
  fit.start = count_from(g, "start");
  fit.start_objectives = detail::numbers(g.vector("start_objectives"));
  fit.trace = detail::trace_from(g);
  fit.features = parse_features(g.text("features"), gplvm_feature_kinds);
  fit.options = options_from(g.group("options"));
  fit.seed = static_cast<std::uint64_t>(g.integer("seed"));
  return fit;
}

void write_gplvm(const std::string& path, const GplvmFit& fit) { write_model(path, gplvm_group(fit)); }
GplvmFit read_gplvm(const std::string& path) { return gplvm_from(read_model(path)); }

}  // namespace bochner
