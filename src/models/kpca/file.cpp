#include "bochner/models/kpca/file.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/features/feature_map_group.hpp"
#include "bochner/kernels/kernel_group.hpp"
#include "bochner/models/kpca/names.hpp"
#include "src/data/scaling_group.hpp"
#include "src/store/entries.hpp"
#include "src/store/model_kind.hpp"

namespace bochner {

namespace {

using detail::check_length, detail::check_shape, detail::count_from, detail::place, detail::scaling_from,
    detail::scaling_group;

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
                                 quote(to_text(v.preimage))));
  return v;
}

std::string pair_name(std::size_t v, std::size_t w) { return "second_" + place(v) + "_" + place(w); }

}  // namespace

ModelGroup kpca_group(const KpcaFit& fit) {
  ModelGroup views, out;
  for (std::size_t v = 0; v < fit.views.size(); ++v) views.set(place(v), view_group(fit.views[v]));
  out.set("model", "kpca").set("ids", fit.ids).set("lambda", fit.lambda).set("H", fit.H);
  out.set("view_count", fit.views.size()).set("views", std::move(views));
  for (std::size_t v = 0; v < fit.views.size(); ++v)
    for (std::size_t w = 0; w < fit.views.size(); ++w) out.set(pair_name(v, w), fit.second[v][w]);
  out.set("unseen", fit.unseen).set("total_variance", fit.total_variance).set("solver", to_text(fit.solver));
  out.set("status", to_string(fit.status)).set("steps", fit.steps).set("notes", fit.notes);
  return out;
}

KpcaFit kpca_from(const ModelGroup& g) {
  detail::check_kind(g, "kpca");
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

void write_kpca(const std::string& path, const KpcaFit& fit) { write_model(path, kpca_group(fit)); }
KpcaFit read_kpca(const std::string& path) { return kpca_from(read_model(path)); }

}  // namespace bochner
