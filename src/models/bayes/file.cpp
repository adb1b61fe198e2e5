#include "bochner/models/bayes/file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/models/bayes/assess.hpp"
#include "bochner/models/bayes/names.hpp"
#include "entries.hpp"
#include "setup.hpp"
#include "src/data/scaling_group.hpp"
#include "src/store/entries.hpp"
#include "src/store/model_kind.hpp"

namespace bochner {

namespace {

using namespace detail;  // NOLINT: the pieces of model files

constexpr const char* kind = "bayes";

ModelGroup options_group(const BayesOptions& o) {
  const BayesPriors& p = o.priors;
  const FrequencyPrior& f = p.frequencies;
  ModelGroup out, views;
  for (std::size_t v = 0; v < o.views.size(); ++v) {
    ModelGroup own;
    own.set("likelihood", to_text(o.views[v].likelihood))
        .set("scaling", static_cast<std::int64_t>(o.views[v].scaling));
    views.set(place(v), own);
  }
  out.set("dims", o.dims).set("frequencies", o.frequencies).set("view_count", o.views.size());
  out.set("views", views).set("dynamic", o.latent.dynamic).set("path", to_text(o.latent.kind));
  out.set("chains", o.chains).set("warmup", o.warmup).set("draws", o.draws).set("thin", o.thin);
  out.set("stored", o.stored).set("start", to_text(o.start)).set("dirichlet", f.dirichlet);
  std::vector<std::string> starts;
  for (const BayesStart start : o.starts) starts.push_back(to_text(start));
  out.set("starts", starts);
  Vector numbers(18);
  numbers << f.lambda, f.degrees, f.scale, f.alpha_shape, f.alpha_rate, p.amplitude_shape, p.amplitude_scale,
      p.intercept_sd, p.noise_shape, p.noise_scale, p.dispersion_shape, p.rate_shape, p.rate_rate,
      p.log_ell_sd, p.path_variance_shape, p.path_variance_scale, p.ell_median, p.covariate_sd;
  return out.set("priors", numbers);
}

BayesOptions options_from(const ModelGroup& g) {
  BayesOptions o{.dims = count_from(g, "dims"), .frequencies = count_from(g, "frequencies")};
  const Index views = count_from(g, "view_count");
  for (Index v = 0; v < views; ++v) {
    const ModelGroup& own = g.group("views").group(place(static_cast<std::size_t>(v)));
    const std::int64_t scaling = own.integer("scaling");
    if (scaling < 0 || scaling > static_cast<std::int64_t>(ScalingKind::whole_view))
      throw InputError(fmt::format("{}: there is no such scaling", own.where()));
    o.views.push_back({parse_bayes_likelihood(own.text("likelihood")), static_cast<ScalingKind>(scaling)});
  }
  o.latent = {g.flag("dynamic"), parse_path_kind(g.text("path"))};
  o.chains = count_from(g, "chains");
  o.warmup = count_from(g, "warmup");
  o.draws = count_from(g, "draws");
  o.thin = count_from(g, "thin");
  o.stored = count_from(g, "stored");
  o.start = parse_bayes_start(g.text("start"));
  if (g.has("starts"))
    for (const std::string& start : g.texts("starts")) o.starts.push_back(parse_bayes_start(start));
  const Vector& n = g.vector("priors");
  const bool by_times = n.size() == 16;         // before medians could be given
  const bool with_covariates = n.size() == 18;  // since models can have some
  if (!by_times && !with_covariates) check_length(g, "priors", n.size(), 17);
  o.priors = {.frequencies = {g.flag("dirichlet"), n(0), n(1), n(2), n(3), n(4)},
              .amplitude_shape = n(5),
              .amplitude_scale = n(6),
              .intercept_sd = n(7),
              .covariate_sd = with_covariates ? n(17) : BayesPriors{}.covariate_sd,
              .noise_shape = n(8),
              .noise_scale = n(9),
              .dispersion_shape = n(10),
              .rate_shape = n(11),
              .rate_rate = n(12),
              .ell_median = by_times ? 0 : n(16),
              .log_ell_sd = n(13),
              .path_variance_shape = n(14),
              .path_variance_scale = n(15)};
  return o;
}

ModelGroup view_group(const BayesViewFit& v) {
  ModelGroup out, draws;
  for (std::size_t s = 0; s < v.draws.size(); ++s) draws.set(place(s), functions_group(v.draws[s]));
  std::vector<std::string> class_names;  // one column after the other
  for (const auto& column : v.class_names)
    class_names.insert(class_names.end(), column.begin(), column.end());
  if (v.row_median > 0) out.set("row_median", v.row_median);
  if (v.exposure.size() > 0) out.set("exposure", v.exposure).set("exposure_name", v.exposure_name);
  return out.set("name", v.name)
      .set("columns", v.columns)
      .set("likelihood", to_text(v.likelihood))
      .set("scaling", scaling_group(v.scaling))
      .set("classes", integers(v.classes))
      .set("class_names", class_names)
      .set("trials", v.trials)
      .set("total", v.total)
      .set("draws", draws);
}

BayesViewFit view_from(const ModelGroup& g, Index S, Index N, Index Q) {
  BayesViewFit v{.name = g.text("name"),
                 .columns = g.texts("columns"),
                 .likelihood = parse_bayes_likelihood(g.text("likelihood")),
                 .draws = {}};
  const auto M = static_cast<Index>(v.columns.size());
  v.scaling = scaling_from(g.group("scaling"), M);
  v.classes = indices(g.integers("classes"));
  v.trials = g.number("trials");
  v.total = g.number("total");
  if (g.has("row_median")) {  // since rows can be normalised
    v.row_median = g.number("row_median");
    if (v.likelihood != BayesLikelihood::gaussian)
      throw InputError(fmt::format("{}: only rows of gaussian views can be normalised", g.where()));
    if (!(v.row_median > 0) || !std::isfinite(v.row_median))
      throw InputError(fmt::format("{}: 'row_median' must be a positive number", g.where()));
  }
  if (g.has("exposure")) {  // since counts can have exposures
    const Vector& exposure = g.vector("exposure");
    check_length(g, "exposure", exposure.size(), N);
    if (!has_exposure(v.likelihood))
      throw InputError(fmt::format("{}: only poisson and negbinom views have exposures", g.where()));
    if (!(exposure.array() > 0).all() || !exposure.allFinite())
      throw InputError(fmt::format("{}: 'exposure' must hold positive numbers", g.where()));
    set_exposure(v, exposure);
    v.exposure_name = g.text("exposure_name");
  }
  Index J = M;
  if (v.likelihood == BayesLikelihood::categorical) {
    check_length(g, "classes", static_cast<Index>(v.classes.size()), M);
    J = 0;
    for (const Index C : v.classes) J += C;
    const std::vector<std::string>& names = g.texts("class_names");
    check_length(g, "class_names", static_cast<Index>(names.size()), J);
    auto from = names.begin();
    for (const Index C : v.classes) {
      v.class_names.emplace_back(from, from + C);
      from += C;
    }
  }
  const bool scaled = v.likelihood == BayesLikelihood::gaussian || v.likelihood == BayesLikelihood::negbinom;
  for (Index s = 0; s < S; ++s) {
    const ModelGroup& own = g.group("draws").group(place(static_cast<std::size_t>(s)));
    v.draws.push_back(functions_from(own, Q));
    check_shape(own, "B", v.draws.back().B, v.draws.back().B.rows(), J);
    if (scaled) check_length(own, "scale", v.draws.back().scale.size(), J);
  }
  return v;
}

ModelGroup monitors_group(const std::vector<BayesMonitor>& monitors) {
  std::vector<std::string> names;
  Matrix values(static_cast<Index>(monitors.size()), 3);
  for (std::size_t k = 0; k < monitors.size(); ++k) {
    names.push_back(monitors[k].name);
    values.row(static_cast<Index>(k)) << monitors[k].rhat, monitors[k].ess_bulk, monitors[k].ess_tail;
  }
  ModelGroup out;
  return out.set("names", names).set("values", values);
}

std::vector<BayesMonitor> monitors_from(const ModelGroup& g) {
  std::vector<BayesMonitor> out;
  const std::vector<std::string>& names = g.texts("names");
  const Matrix& values = g.matrix("values");
  check_shape(g, "values", values, static_cast<Index>(names.size()), 3);
  for (Index k = 0; k < values.rows(); ++k)
    out.push_back({names[static_cast<std::size_t>(k)], values(k, 0), values(k, 1), values(k, 2)});
  return out;
}

ModelGroup axis_group(const TimeAxis& axis) {
  ModelGroup out;
  out.set("time", axis.time).set("group", integers(axis.group)).set("group_names", axis.group_names);
  return out.set("column", axis.column).set("group_column", axis.group_column).set("dates", axis.dates);
}

/// Rows in an order, and gaps between them, from nowhere for the first.
void check_grid(const ModelGroup& g, const TimeGrid& grid, Index N) {
  check_length(g, "order", static_cast<Index>(grid.order.size()), N);
  check_length(g, "gap", grid.gap.size(), N);
  std::vector<bool> named(static_cast<std::size_t>(N));
  for (const Index n : grid.order) {
    if (n < 0 || n >= N || named[static_cast<std::size_t>(n)])
      throw InputError(fmt::format("{}: entry 'order' does not name each sample once", g.where()));
    named[static_cast<std::size_t>(n)] = true;
  }
  if (!(grid.gap.array() >= 0).all() || !grid.gap.allFinite() || grid.gap(0) != 0)
    throw InputError(fmt::format("{}: entry 'gap' must be times from 0, with 0 at first", g.where()));
}

/// Times must go up along the grid by its gaps, and groups change where it begins another one.
TimeAxis axis_from(const ModelGroup& g, const TimeGrid& grid) {
  TimeAxis out{.time = g.vector("time"),
               .group = indices(g.integers("group")),
               .group_names = g.texts("group_names"),
               .column = g.text("column"),
               .group_column = g.text("group_column"),
               .dates = g.flag("dates")};
  check_length(g, "time", out.time.size(), grid.size());
  if (!out.group.empty()) check_length(g, "group", static_cast<Index>(out.group.size()), grid.size());
  const auto group = [&](Index n) { return out.group.empty() ? 0 : out.group[static_cast<std::size_t>(n)]; };
  for (Index i = 0; i < grid.size(); ++i) {
    const Index n = grid.order[static_cast<std::size_t>(i)];
    const bool named = out.group_names.empty() || group(n) < static_cast<Index>(out.group_names.size());
    bool good = std::isfinite(out.time(n)) && group(n) >= 0 && named;
    if (i > 0 && good) {
      const Index before = grid.order[static_cast<std::size_t>(i - 1)];
      good = group(before) == group(n) ? grid.gap(i) > 0 && grid.gap(i) == out.time(n) - out.time(before)
                                       : group(before) < group(n) && grid.gap(i) == 0;
    }
    if (!good) throw InputError(fmt::format("{}: times and groups do not fit the grid", g.where()));
  }
  return out;
}

}  // namespace

ModelGroup bayes_group(const BayesFit& fit) {
  ModelGroup out, views, X, paths, turns;
  for (std::size_t v = 0; v < fit.views.size(); ++v) views.set(place(v), view_group(fit.views[v]));
  for (std::size_t s = 0; s < fit.X.size(); ++s) X.set(place(s), fit.X[s]);
  for (std::size_t s = 0; s < fit.paths.size(); ++s) {
    paths.set(place(s), paths_matrix(fit.paths[s]));
    turns.set(place(s), fit.turns[s]);
  }
  out.set("model", kind).set("ids", fit.ids).set("latent_mean", fit.latent.mean);
  out.set("latent_sd", fit.latent.sd).set("stored", fit.X.size()).set("X", X);
  out.set("view_count", fit.views.size()).set("views", views);
  out.set("order", integers(fit.grid.order)).set("gap", fit.grid.gap).set("paths", paths);
  out.set("turns", turns).set("monitors", monitors_group(fit.monitors)).set("log_density", fit.log_density);
  if (fit.axis.time.size() > 0) out.set("axis", axis_group(fit.axis));
  Matrix left_out(static_cast<Index>(fit.left_out.size()), 2);
  for (Index i = 0; i < left_out.rows(); ++i) {
    const BayesLeftOut& own = fit.left_out[static_cast<std::size_t>(i)];
    left_out.row(i) << double(own.chain), own.gap;
  }
  out.set("left_out", left_out);
  if (fit.covariates.width() > 0)
    out.set("covariates", covariates_group(fit.covariates)).set("design", fit.design);
  out.set("draws", fit.draws).set("status", status_text(fit));
  return out.set("options", options_group(fit.options)).set("seed", fit.seed);
}

BayesFit bayes_from(const ModelGroup& g) {
  check_kind(g, kind);
  BayesFit fit{.ids = g.texts("ids"), .latent = {g.matrix("latent_mean"), g.matrix("latent_sd")}};
  const auto N = static_cast<Index>(fit.ids.size());
  const Index Q = fit.dims(), S = count_from(g, "stored"), V = count_from(g, "view_count");
  check_shape(g, "latent_mean", fit.latent.mean, N, Q);
  check_shape(g, "latent_sd", fit.latent.sd, N, Q);
  if (Q < 1 || S < 1 || V < 1)
    throw InputError(fmt::format("{}: the model has no dimensions, draws or views", g.where()));
  fit.options = options_from(g.group("options"));
  for (Index s = 0; s < S; ++s) {
    const std::string at = place(static_cast<std::size_t>(s));
    fit.X.push_back(g.group("X").matrix(at));
    check_shape(g, "X", fit.X.back(), N, Q);
    if (!fit.options.latent.dynamic) continue;
    fit.paths.push_back(paths_from(g, g.group("paths").matrix(at), fit.options.latent.kind));
    fit.turns.push_back(g.group("turns").matrix(at));
    check_length(g, "paths", static_cast<Index>(fit.paths.back().size()), Q);
    check_shape(g, "turns", fit.turns.back(), Q, Q);
  }
  for (Index v = 0; v < V; ++v)
    fit.views.push_back(view_from(g.group("views").group(place(static_cast<std::size_t>(v))), S, N, Q));
  fit.grid = {indices(g.integers("order")), g.vector("gap")};
  if (fit.options.latent.dynamic) {
    check_grid(g, fit.grid, N);
  }
  if (fit.options.latent.dynamic && g.has("axis"))  // since new samples can have times
    fit.axis = axis_from(g.group("axis"), fit.grid);
  if (g.has("left_out")) {  // since chains can be
    const Matrix& left_out = g.matrix("left_out");
    check_shape(g, "left_out", left_out, left_out.rows(), 2);
    for (Index i = 0; i < left_out.rows(); ++i)
      fit.left_out.push_back({static_cast<Index>(left_out(i, 0)), left_out(i, 1)});
    if (fit.chains() < 1) throw InputError(fmt::format("{}: no chain is left", g.where()));
  }
  if (g.has("covariates")) {
    fit.covariates = covariates_from(g.group("covariates"));
    fit.design = g.matrix("design");
    check_shape(g, "design", fit.design, N, fit.covariates.width());
  }
  for (const BayesViewFit& view : fit.views)
    for (const BayesFunctions& draw : view.draws)
      if (draw.covariates.rows() != fit.covariates.width())
        throw InputError(fmt::format("{}: coefficients of covariates do not fit the covariates", g.where()));
  fit.monitors = monitors_from(g.group("monitors"));
  fit.log_density = g.matrix("log_density");
  fit.draws = count_from(g, "draws");
  // Earlier releases wrote "converged" for every fit that took all its draws; its monitors tell.
  const std::string status = g.text("status");
  const bool whole = status == "finished" || parse_status(status) == Status::converged;
  fit.status = whole ? judged_status(fit) : parse_status(status);
  fit.seed = static_cast<std::uint64_t>(g.integer("seed"));
  return fit;
}

void write_bayes(const std::string& path, const BayesFit& fit) { write_model(path, bayes_group(fit)); }
BayesFit read_bayes(const std::string& path) { return bayes_from(read_model(path)); }

}  // namespace bochner
