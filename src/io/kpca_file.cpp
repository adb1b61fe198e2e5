#include "bochner/io/kpca_file.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/io/feature_map_group.hpp"
#include "bochner/io/gplvm_names.hpp"
#include "bochner/io/kernel_group.hpp"
#include "bochner/io/kpca_names.hpp"
#include "gplvm_entries.hpp"
#include "scaling_group.hpp"
#include "sentence.hpp"

namespace bochner {

namespace {

using io::check_length, io::check_shape, io::count_from, io::place, io::scaling_from, io::scaling_group;

constexpr const char *kpca_kind = "kpca", *forecast_kind = "forecast";  // what the files say they are

void check_kind(const ModelGroup& g, const char* kind, const char* verb) {
  if (g.text("model") != kind)
    throw InputError(fmt::format("{}: this is a model of the kind {}, but one of 'bochner {}' is needed",
                                 g.where(), io::quote(g.text("model")), verb));
}

ModelGroup view_group(const KpcaView& v) {
  ModelGroup out;
  out.set("name", v.name).set("columns", v.columns).set("scaling", scaling_group(v.scaling));
  out.set("weight", v.weight).set("preimage", to_text(v.preimage)).set("classes", v.classes);
  if (v.map)
    out.set("map", feature_map_group(*v.map)).set("feature_mean", v.feature_mean).set("U", v.U);
  else
    out.set("kernel", kernel_group(*v.kernel)).set("X", v.X).set("offset", v.offset);
  out.set("G", v.G).set("x_mean", v.x_mean).set("x_squares", v.x_squares);
  for (std::size_t w = 0; w < v.cross.size(); ++w) out.set("cross_" + place(w), v.cross[w]);
  if (v.inverse) out.set("inverse", feature_map_group(*v.inverse));
  return out;
}

KpcaView view_from(const ModelGroup& g, Index n, Index s, Index views) {
  KpcaView v{.name = g.text("name"), .columns = g.texts("columns")};
  const Index M = v.cols();
  v.scaling = scaling_from(g.group("scaling"), M);
  v.weight = g.number("weight");
  if (!(v.weight > 0)) throw InputError(fmt::format("{}: the weight must be a positive number", g.where()));
  v.preimage = parse_preimage(g.text("preimage"));
  v.classes = g.flag("classes");
  if (g.has("map")) {
    v.map = feature_map_from(g.group("map"), M);
    v.feature_mean = g.vector("feature_mean");
    v.U = g.matrix("U");
    check_length(g, "feature_mean", v.feature_mean.size(), v.map->count());
    check_shape(g, "U", v.U, v.map->count(), s);
  } else {
    v.kernel = kernel_from(g.group("kernel"), M);
    v.X = g.matrix("X");
    v.offset = g.vector("offset");
    check_shape(g, "X", v.X, n, M);
    check_length(g, "offset", v.offset.size(), s);
  }
  v.G = g.matrix("G");
  v.x_mean = g.vector("x_mean");
  v.x_squares = g.vector("x_squares");
  check_shape(g, "G", v.G, s, s);
  check_length(g, "x_mean", v.x_mean.size(), M);
  check_length(g, "x_squares", v.x_squares.size(), M);
  for (Index w = 0; w < views; ++w) {
    const std::string name = "cross_" + place(static_cast<std::size_t>(w));
    v.cross.push_back(g.matrix(name));
    check_shape(g, name.c_str(), v.cross.back(), s, M);
  }
  const bool linear = v.map && std::holds_alternative<LinearFeatures<double>>(v.map->map);
  const bool network =
      v.map && std::holds_alternative<NetworkFeatures<double>>(v.map->map) && g.has("inverse");
  if (network) {
    v.inverse = feature_map_from(g.group("inverse"), v.map->count());
    check_length(g, "inverse", v.inverse->count(), M);
  }
  const bool fits =
      v.preimage == Preimage::ridge || (v.preimage == Preimage::identity && linear) ||
      (v.preimage == Preimage::network && network) ||
      (v.kernel && (v.preimage == Preimage::smoother || v.preimage == Preimage::gradient ||
                    (v.preimage == Preimage::fixed_point && std::holds_alternative<Rbf>(*v.kernel))));
  if (!fits)
    throw InputError(fmt::format("{}: the pre-image {} does not go with the features of the view", g.where(),
                                 io::quote(to_text(v.preimage))));
  return v;
}

std::string pair_name(std::size_t v, std::size_t w) { return "second_" + place(v) + "_" + place(w); }

}  // namespace

ModelGroup kpca_group(const KpcaFit& fit) {
  ModelGroup views, out;
  for (std::size_t v = 0; v < fit.views.size(); ++v) views.set(place(v), view_group(fit.views[v]));
  out.set("model", kpca_kind).set("ids", fit.ids).set("lambda", fit.lambda).set("H", fit.H);
  out.set("view_count", fit.views.size()).set("views", std::move(views));
  for (std::size_t v = 0; v < fit.views.size(); ++v)
    for (std::size_t w = 0; w < fit.views.size(); ++w) out.set(pair_name(v, w), fit.second[v][w]);
  out.set("unseen", fit.unseen).set("total_variance", fit.total_variance).set("solver", to_text(fit.solver));
  out.set("status", to_string(fit.status)).set("steps", fit.steps).set("notes", fit.notes);
  return out;
}

KpcaFit kpca_from(const ModelGroup& g) {
  check_kind(g, kpca_kind, "kpca");
  KpcaFit fit{.ids = g.texts("ids"), .lambda = g.vector("lambda"), .H = g.matrix("H")};
  const auto n = static_cast<Index>(fit.ids.size());
  const Index s = fit.dims(), views = count_from(g, "view_count");
  check_shape(g, "H", fit.H, n, s);
  if (s < 1 || !(fit.lambda.array() > 0).all())
    throw InputError(
        fmt::format("{}: a model has at least one component, all of positive variance", g.where()));
  if (views < 1) throw InputError(fmt::format("{}: the model has no views", g.where()));
  for (std::size_t v = 0; v < static_cast<std::size_t>(views); ++v)
    fit.views.push_back(view_from(g.group("views").group(place(v)), n, s, views));
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    fit.second.emplace_back();
    for (std::size_t w = 0; w < fit.views.size(); ++w) {
      fit.second[v].push_back(g.matrix(pair_name(v, w)));
      check_shape(g, pair_name(v, w).c_str(), fit.second[v][w], s, s);
    }
  }
  fit.unseen = g.number("unseen");
  fit.total_variance = g.number("total_variance");
  fit.solver = parse_solver(g.text("solver"));
  fit.status = parse_status(g.text("status"));
  fit.steps = count_from(g, "steps");
  fit.notes = g.texts("notes");
  return fit;
}

ModelGroup forecast_group(const ForecastFit& fit) {
  ModelGroup out;
  out.set("model", forecast_kind).set("kpca", kpca_group(fit.model)).set("lags", fit.lags);
  out.set("centre", fit.centre).set("scale", fit.scale);
  out.set("known_centre", fit.known_centre).set("known_scale", fit.known_scale);
  out.set("tail", fit.tail).set("error_steps", fit.errors.size());
  if (!fit.errors.empty()) {  // one below the other
    const Index rows = fit.errors.front().rows();
    Matrix all(rows * Index(fit.errors.size()), fit.series());
    for (std::size_t t = 0; t < fit.errors.size(); ++t) all.middleRows(Index(t) * rows, rows) = fit.errors[t];
    out.set("errors", std::move(all));
  }
  return out;
}

ForecastFit forecast_from(const ModelGroup& g) {
  check_kind(g, forecast_kind, "forecast");
  ForecastFit fit{.model = kpca_from(g.group("kpca")),
                  .lags = count_from(g, "lags"),
                  .centre = g.vector("centre"),
                  .scale = g.vector("scale"),
                  .known_centre = g.vector("known_centre"),
                  .known_scale = g.vector("known_scale"),
                  .tail = g.matrix("tail")};
  const Index S = fit.series(), steps = count_from(g, "error_steps");
  check_length(g, "scale", fit.scale.size(), S);
  check_length(g, "known_scale", fit.known_scale.size(), fit.known());
  check_shape(g, "tail", fit.tail, fit.lags + 1, S);
  check_length(g, "views", Index(fit.model.views.size()), fit.known() > 0 ? 3 : 2);
  check_length(g, "past", fit.model.views[0].cols(), (fit.lags + 1) * S);
  check_length(g, "next", fit.model.views[1].cols(), S);
  if (fit.known() > 0) check_length(g, "known", fit.model.views[2].cols(), fit.known());
  if (const Preimage p = fit.model.views[1].preimage; p != Preimage::identity && p != Preimage::ridge)
    throw InputError(fmt::format("{}: the next value must have a linear pre-image", g.where()));
  if (steps > 0) {
    const Matrix& all = g.matrix("errors");
    check_shape(g, "errors", all, all.rows() - all.rows() % steps, S);
    const Index rows = all.rows() / steps;
    for (Index t = 0; t < steps; ++t) fit.errors.push_back(all.middleRows(t * rows, rows));
  }
  return fit;
}

void write_kpca(const std::string& path, const KpcaFit& fit) { write_model(path, kpca_group(fit)); }
KpcaFit read_kpca(const std::string& path) { return kpca_from(read_model(path)); }
void write_forecast(const std::string& path, const ForecastFit& fit) {
  write_model(path, forecast_group(fit));
}
ForecastFit read_forecast(const std::string& path) { return forecast_from(read_model(path)); }

}  // namespace bochner
