#include "latent_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "bochner/assess/normal_interval.hpp"
#include "bochner/core/parse_number.hpp"
#include "encode.hpp"
#include "panel.hpp"

namespace bochner::detail {

namespace {

constexpr std::size_t top_columns_shown = 10, responses_shown = 6, most_dimensions = 6;

/// Times of the samples within their groups: from the annotations, or counted from the first sample of the group.
struct Times {
  std::vector<std::vector<Index>> paths;  // rows of each group in the order of time
  Vector at;                              // N
};

/// The model of a run whose latents are paths over time; nullptr for others.
const BayesFit* fit_over_time(RunFiles& run, const RunSamples& samples) {
  if (samples.empty() || !run.has("chains.csv"))
    return nullptr;  // without reading the model, where there are none
  const AnyFit* any = run.fit();
  const auto* fit = any ? std::get_if<BayesFit>(any) : nullptr;
  return fit && fit->grid.size() == Index(samples.ids.size()) ? fit : nullptr;
}

Times times_of(const BayesFit& fit) {
  Times out{{}, Vector::Zero(fit.grid.size())};
  double now = 0;
  for (Index i = 0; i < fit.grid.size(); ++i) {
    const double gap = fit.grid.gap(i);
    if (gap == 0) {
      out.paths.emplace_back();
      now = 0;
    }
    now += gap;
    const Index row = fit.grid.order[static_cast<std::size_t>(i)];
    out.paths.back().push_back(row);
    out.at(row) = now;
  }
  return out;
}

/// What a forecast adds to the only path, from its last sample on.
void add_forecast(RunFiles& run, const Times& times, const TimeAxis& axis, const RunSamples& samples, Index q,
                  Json& curves) {
  const std::optional<Table> ahead = run.table("forecast_latent.csv");
  if (!ahead || times.paths.size() != 1 || ahead->cols() < 2 * (q + 1)) return;
  const std::string& name = samples.dims[static_cast<std::size_t>(q)];
  const auto column = [&](const std::string& wanted) -> Index {
    return std::find(ahead->columns.begin(), ahead->columns.end(), wanted) - ahead->columns.begin();
  };
  const Index t = column("time"), m = column(name), s = column(name + "_sd");
  if (std::max({t, m, s}) >= ahead->cols()) return;
  const Index last = times.paths.front().back(), H = ahead->rows();
  // Earlier releases, whose models have no axis, made steps that are equally long.
  const double step = H > 1 ? ahead->values(1, t) - ahead->values(0, t) : 1;
  const double start = axis.time.size() > 0 ? axis.time(last) : ahead->values(0, t) - step;
  const double z = normal_quantile_of_interval(0.9);
  Vector x(H);
  for (Index h = 0; h < H; ++h) x(h) = times.at(last) + ahead->values(h, t) - start;
  const Vector y = ahead->values.col(m), sd = ahead->values.col(s);
  curves.push_back(curve("forecast", x, y, y - z * sd, y + z * sd));
}

}  // namespace

void add_latent_panel(RunFiles& run, const RunSamples& samples, Json& panels) {
  if (samples.empty()) return;
  Json out =
      panel("latent", "latent", "Latent space",
            samples.sd.size() > 0
                ? "Each point is a sample, and samples that are close have similar columns; ellipses hold "
                  "90 % of what is known of a position. Drag to pan, scroll to zoom, draw around points to "
                  "ask what sets them apart."
                : "Each point is a sample, and samples that are close have similar columns. Drag to pan, "
                  "scroll to zoom, draw around points to ask what sets them apart.",
            true);
  out["dims"] = samples.dims;
  out["mean"] = as_floats(samples.mean);
  if (samples.sd.size() > 0) out["sd"] = as_floats(samples.sd);
  if (const BayesFit* fit = fit_over_time(run, samples)) {
    out["paths"] = times_of(*fit).paths;
    out["how"] = out["how"].get<std::string>() + " Lines follow each path over time from its ring on.";
  }
  panels.push_back(std::move(out));
}

void add_time_field(RunFiles& run, RunSamples& samples) {
  const BayesFit* fit = fit_over_time(run, samples);
  if (!fit) return;
  Json field{{"name", "time since the first sample"},
             {"group", ""},
             {"kind", "number"},
             {"values", as_steps(times_of(*fit).at)}};
  samples.fields.insert(samples.fields.begin(), std::move(field));
}

void add_path_panel(RunFiles& run, const RunSamples& samples, Json& panels) {
  constexpr std::size_t most_paths = 8;
  const BayesFit* fit = fit_over_time(run, samples);
  if (!fit || samples.sd.size() == 0) return;
  const Times times = times_of(*fit);
  const double z = normal_quantile_of_interval(0.9);
  Json charts = Json::array();
  for (Index q = 0; q < Index(std::min(samples.dims.size(), most_dimensions)); ++q) {
    Json curves = Json::array();
    for (std::size_t g = 0; g < std::min(times.paths.size(), most_paths); ++g) {
      const Vector x = times.at(times.paths[g]), y = Vector(samples.mean.col(q))(times.paths[g]),
                   sd = Vector(samples.sd.col(q))(times.paths[g]);
      curves.push_back(curve(times.paths.size() == 1 ? "path" : fmt::format("trial {}", g + 1), x, y,
                             y - z * sd, y + z * sd));
    }
    add_forecast(run, times, fit->axis, samples, q, curves);
    charts.push_back(chart(samples.dims[static_cast<std::size_t>(q)], "time since the first sample",
                           samples.dims[static_cast<std::size_t>(q)], std::move(curves)));
  }
  Json out =
      panel("path", "lines", "Latents over time",
            "The latent position of each time point with its 90 % band; a wide band says that the columns "
            "leave the position open.",
            true);
  out["charts"] = std::move(charts);
  panels.push_back(std::move(out));
}

void add_data_map(const RunSamples& samples, Json& panels) {
  constexpr Index most_bins = 600;
  if (samples.views.empty() || !samples.views.front().whole) return;
  const Index N = Index(samples.ids.size()), bins = std::min(N, most_bins);
  Matrix share(Index(samples.views.size()), N);
  Json rows = Json::array();
  for (std::size_t v = 0; v < samples.views.size(); ++v) {
    const FilledView& view = samples.views[v];
    for (Index n = 0; n < N; ++n)
      share(Index(v), n) =
          double(view.measured.row(n).count()) / double(std::max<Index>(1, view.measured.cols()));
    const Index with = (share.row(Index(v)).array() > 0).count(), entries = view.measured.count();
    const double of = double(std::max<Index>(1, with * view.measured.cols()));
    rows.push_back({shortened(view.name), with, view.measured.cols(), entries,
                    compact(100 * (1 - double(entries) / of))});
  }
  // Samples that lack the same views stand together.
  std::vector<Index> order(static_cast<std::size_t>(N));
  std::iota(order.begin(), order.end(), Index{0});
  const auto pattern = [&](Index n) {
    Index out = 0;
    for (Index v = 0; v < std::min<Index>(share.rows(), 50); ++v) out = 2 * out + (share(v, n) > 0 ? 0 : 1);
    return out;
  };
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return pattern(a) < pattern(b); });
  Matrix binned = Matrix::Zero(share.rows(), bins);
  Vector count = Vector::Zero(bins);
  for (Index i = 0; i < N; ++i) {
    const Index bin = i * bins / N;
    binned.col(bin) += share.col(order[static_cast<std::size_t>(i)]);
    count(bin) += 1;
  }
  for (Index b = 0; b < bins; ++b) binned.col(b) /= count(b);
  std::vector<std::string> names;
  for (const FilledView& view : samples.views) names.push_back(shortened(view.name));
  Json out =
      panel("map", "map", "Data map",
            "Each column of the picture is a sample (samples that lack the same views stand together), each "
            "row a view; the darker, the more of its entries were measured, and white is a view that the "
            "sample lacks.",
            true);
  out["rows"] = names;
  out["samples"] = N;
  out["bins"] = bins;
  out["share"] = as_floats(Matrix(binned.transpose()));
  out["table"] = table_of({"view", "samples", "columns", "entries", "missing entries, %"}, std::move(rows));
  panels.push_back(std::move(out));
}

namespace {

void add_explained(RunFiles& run, Json& panels) {
  const std::optional<Table> relevance = relevance_of_dimensions(run);
  if (!relevance) return;
  std::vector<std::string> columns = relevance->ids, rows;
  const Json& roles = member(run.metrics(), "dimensions");
  for (std::size_t q = 0; q < columns.size(); ++q)
    if (roles.is_array() && q < roles.size() && roles[q].is_string())
      columns[q] += " (" + roles[q].get<std::string>() + ")";
  columns.emplace_back("all");
  columns.emplace_back("held out");
  Matrix values = Matrix::Constant(relevance->cols(), relevance->rows() + 2, std::nan(""));
  values.leftCols(relevance->rows()) = relevance->values.transpose();
  for (std::size_t v = 0; v < relevance->columns.size(); ++v) {
    const std::string& view = relevance->columns[v];
    rows.push_back(shortened(view));
    values(Index(v), relevance->rows()) = number_of(member(run.metrics(), "explained"), view);
    values(Index(v), relevance->rows() + 1) = number_of(member(member(run.metrics(), "heldout"), view), "r2");
  }
  if (values.rightCols(1).array().isNaN().all()) {
    values.conservativeResize(Eigen::NoChange, values.cols() - 1);
    columns.pop_back();
  }
  Json out = panel(
      "explained", "heatmap", "Variance explained",
      "Share of the variance of each view that a dimension explains on its own; a dimension is shared if "
      "several views depend on it. Where 'held out' is far below 'all', the model overfits.");
  out.update(heatmap(rows, columns, values));
  out["percent"] = true;
  panels.push_back(std::move(out));
}

void add_top_columns(RunFiles& run, Json& panels) {
  const std::optional<TextTable> top = run.text("top_columns.csv", "n");
  if (!top) return;
  const std::vector<std::string>&dimension = top->column("dimension"), &view = top->column("view"),
        &column = top->column("column");
  const Vector relevance = top->numbers("relevance"), loading = top->numbers("loading");
  std::vector<std::string> series{"in training"};
  Vector lower;  // runs of earlier releases have none
  if (std::find(top->columns.begin(), top->columns.end(), "lower") != top->columns.end()) {
    lower = top->numbers("lower");
    series.emplace_back("at least, with 95 % probability");
  }
  std::vector<std::string> order;
  std::map<std::string, std::vector<BarRow>> rows;
  for (std::size_t i = 0; i < dimension.size(); ++i) {
    if (!rows.contains(dimension[i])) order.push_back(dimension[i]);
    std::vector<BarRow>& own = rows[dimension[i]];
    if (own.size() >= top_columns_shown) continue;
    const double sign = loading(Index(i));
    own.push_back({shortened(view[i] + "/" + column[i], 120) + (std::isnan(sign) ? ""
                                                                : sign < 0       ? " (-)"
                                                                                 : " (+)"),
                   {relevance(Index(i))}});
    if (lower.size() > 0) own.back().values.push_back(lower(Index(i)));
  }
  Json charts = Json::array();
  for (std::size_t q = 0; q < std::min(order.size(), most_dimensions); ++q)
    charts.push_back(bars(order[q], "share of the variance of the column", series, rows[order[q]]));
  Json out = panel(
      "columns", "bars", "Columns that a dimension is about",
      "The columns that most certainly depend on each dimension; (+) and (-) say whether a column rises "
      "or falls with it. Columns that vary in a few samples only come last.",
      true);
  out["charts"] = std::move(charts);
  panels.push_back(std::move(out));
}

void add_responses(RunFiles& run, Json& panels) {
  const std::optional<TextTable> table = run.text("responses.csv", "n");
  if (!table) return;
  const std::vector<std::string>&dimension = table->column("dimension"), &view = table->column("view"),
        &column = table->column("column");
  const Vector z = table->numbers("z"), mean = table->numbers("mean");
  const auto has = [&](const char* name) {
    return std::find(table->columns.begin(), table->columns.end(), name) != table->columns.end();
  };
  const bool bands = has("lo") && has("hi");
  const Vector lo = bands ? table->numbers("lo") : Vector(), hi = bands ? table->numbers("hi") : Vector();
  Json charts = Json::array();
  std::map<std::string, std::size_t> shown;
  for (std::size_t begin = 0, end = 0; begin < dimension.size(); begin = end) {
    while (end < dimension.size() && dimension[end] == dimension[begin] && view[end] == view[begin] &&
           column[end] == column[begin])
      ++end;
    if (++shown[dimension[begin]] > responses_shown || shown.size() > 3) continue;
    const auto own = [&, first = Index(begin), count = Index(end - begin)](const Vector& all) {
      return all.size() == 0 ? Vector() : Vector(all.segment(first, count));
    };
    charts.push_back(chart(shortened(view[begin] + "/" + column[begin], 120), dimension[begin], "",
                           Json::array({curve("mean", own(z), own(mean), own(lo), own(hi))})));
  }
  if (charts.empty()) return;
  Json out =
      panel("responses", "lines", "Response curves",
            std::string(
                "The mean of a column, in the units of its table, as one dimension varies, averaged over the "
                "samples in the others") +
                (bands ? ", with the 90 % interval of that mean" : "") +
                ": a bend is what a linear model would miss.",
            true);
  out["charts"] = std::move(charts);
  out["small"] = true;
  panels.push_back(std::move(out));
}

}  // namespace

void add_dimension_panels(RunFiles& run, Json& panels) {
  add_explained(run, panels);
  add_top_columns(run, panels);
  add_responses(run, panels);
}

}  // namespace bochner::detail
