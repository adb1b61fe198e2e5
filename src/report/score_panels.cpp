#include "score_panels.hpp"

#include <algorithm>
#include <cmath>

#include "calibration_panels.hpp"
#include "encode.hpp"
#include "panel.hpp"

namespace bochner::detail {

namespace {

void add_entries(RunFiles& run, Json& panels) {
  const Json& heldout = member(run.metrics(), "heldout");
  std::vector<BarRow> rows;
  Json cells = Json::array();
  for (const auto& [view, s] : heldout.items()) {
    const double mean = number_of(s, "rmse_mean");
    if (!(mean > 0) || !s.contains("rmse_pca")) continue;
    BarRow row{shortened(view), {}};
    Json line = Json::array({shortened(view)});
    for (const char* key : {"rmse", "rmse_knn", "rmse_pca", "rmse_mean"}) {
      row.values.push_back(number_of(s, key) / mean);
      line.push_back(compact(number_of(s, key)));
    }
    line.push_back(compact(number_of(s, "log_density")));
    line.push_back(compact(100 * number_of(s, "coverage90")));
    rows.push_back(std::move(row));
    cells.push_back(std::move(line));
  }
  if (rows.empty()) return;
  Json out =
      panel("heldout", "bars", "Held-out entries",
            "Error on entries that were hidden from the fit, divided by that of the column mean: below 1 the "
            "model knows more than the mean, and it should not lose to PCA or to neighbours.");
  out["charts"] = Json::array({bars("", "error / error of the column mean",
                                    {"this model", "5 nearest samples", "PCA", "column mean"}, rows)});
  out["table"] =
      table_of({"view", "RMSE", "5 nearest", "PCA", "column mean", "log density", "in 90 % intervals, %"},
               std::move(cells));
  panels.push_back(std::move(out));
}

void add_absent(RunFiles& run, Json& panels) {
  std::vector<BarRow> rows;
  Json cells = Json::array();
  for (const auto& [view, s] : member(run.metrics(), "heldout_views").items()) {
    rows.push_back({shortened(view), {number_of(s, "r2")}});
    cells.push_back({shortened(view), compact(number_of(s, "samples")), compact(number_of(s, "r2")),
                     compact(number_of(s, "r2_se")), compact(number_of(s, "rmse")),
                     compact(100 * number_of(s, "coverage90"))});
  }
  if (rows.empty()) return;
  Json out = panel(
      "absent", "bars", "Views that a sample lacks",
      "Whole views of some samples were hidden and predicted from their other views: R^2 near 1 means that "
      "a missing assay can be filled in, near 0 that it cannot.");
  out["charts"] = Json::array({bars("", "R^2", {"R^2"}, rows)});
  out["table"] = table_of({"view", "samples", "R^2", "+-", "RMSE", "in 90 % intervals, %"}, std::move(cells));
  panels.push_back(std::move(out));
}

Vector spaced(Index n, double low, double high) { return Vector::LinSpaced(n, low, high); }

/// At most `most` rows, evenly spaced.
std::vector<Index> thinned(Index rows, Index most) {
  std::vector<Index> out;
  const Index n = std::min(rows, most);
  for (Index i = 0; i < n; ++i) out.push_back(n == rows ? i : i * (rows - 1) / (n - 1));
  return out;
}

void add_objective(RunFiles& run, const Table& trace, Json& panels) {
  const auto column = [&](const char* name) -> Index {
    return std::find(trace.columns.begin(), trace.columns.end(), name) - trace.columns.begin();
  };
  const Index step = column("step"), start = column("start");
  Json curves = Json::array();
  if (const Index value = column("objective"); value < trace.cols() && start < trace.cols()) {
    for (Index begin = 0, end = 0; begin < trace.rows(); begin = end) {
      while (end < trace.rows() && trace.values(end, start) == trace.values(begin, start)) ++end;
      const std::vector<Index> rows = thinned(end - begin, 400);
      const Matrix part = trace.values.middleRows(begin, end - begin)(rows, Eigen::all);
      curves.push_back(
          curve("start " + std::to_string(Index(part(0, start))), part.col(step), part.col(value)));
    }
  } else {
    const Matrix part = trace.values(thinned(trace.rows(), 400), Eigen::all);
    for (const char* name : {"bound", "validation"})
      if (const Index at = column(name);
          at < trace.cols() && step < trace.cols() && !part.col(at).array().isNaN().all())
        curves.push_back(
            curve(name == std::string("bound") ? "bound, learning rows" : "log density, validation rows",
                  part.col(step), part.col(at)));
  }
  if (curves.empty()) return;
  Json out = panel(
      "objective", "lines", "Objective",
      "What the optimiser raised, step by step; a fit has converged when the curve is flat (it ended: " +
          text_of(run.metrics(), "stopped") + ").");
  Json one = chart("", "step", "objective, nats", std::move(curves));
  one["clip"] = true;
  out["charts"] = Json::array({std::move(one)});
  panels.push_back(std::move(out));
}

/// Ranks of the draws of all chains together, counted in bins for each chain [vehtari2021].
Json rank_chart(const Table& trace) {
  constexpr Index bins = 20;
  std::vector<std::pair<double, Index>> all;
  for (Index c = 0; c < trace.cols(); ++c)
    for (Index d = 0; d < trace.rows(); ++d) all.push_back({trace.values(d, c), c});
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Matrix counts = Matrix::Zero(bins, trace.cols());
  for (std::size_t i = 0; i < all.size(); ++i)
    counts(Index(i) * bins / Index(all.size()), all[i].second) += 1;
  counts /= double(trace.rows()) / bins;
  Json curves = Json::array();
  for (Index c = 0; c < trace.cols(); ++c)
    curves.push_back(curve(trace.columns[static_cast<std::size_t>(c)],
                           spaced(bins, 0.5 / bins, 1 - 0.5 / bins), counts.col(c)));
  Json out =
      chart("ranks", "rank of a draw among those of all chains", "draws / expected", std::move(curves));
  out["step"] = true;
  out["level"] = 1;
  return out;
}

void add_chains(RunFiles& run, const Table& trace, Json& panels) {
  Json curves = Json::array();
  const std::vector<Index> rows = thinned(trace.rows(), 400);
  Vector x(Index(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) x(Index(i)) = double(rows[i]);
  for (Index c = 0; c < trace.cols(); ++c)
    curves.push_back(curve(trace.columns[static_cast<std::size_t>(c)], x, Vector(trace.values.col(c))(rows)));
  Json out = panel(
      "chains", "lines", "Chains",
      "Log density of the tables along each chain, and the ranks of its draws: chains that agree overlap, "
      "and their ranks are all near 1.",
      true);
  out["charts"] =
      Json::array({chart("log density", "draw", "log density, nats", std::move(curves)), rank_chart(trace)});
  panels.push_back(std::move(out));
  const std::optional<Table> monitors = run.table("chains.csv", "quantity");
  if (!monitors || monitors->cols() < 2) return;
  Json scatter = panel(
      "rhat", "points", "Convergence",
      "R-hat and effective sample size of quantities that chains can be compared by: trust those left of "
      "1.01 and above 400; hover for their names.");
  scatter["charts"] = Json::array({Json{{"title", ""},
                                        {"x", "R-hat"},
                                        {"y", "effective sample size (bulk)"},
                                        {"xs", as_floats(monitors->values.col(0))},
                                        {"ys", as_floats(monitors->values.col(1))},
                                        {"names", monitors->ids},
                                        {"vertical", 1.01}}});
  panels.push_back(std::move(scatter));
}

}  // namespace

void add_held_out_panels(RunFiles& run, Json& panels) {
  add_entries(run, panels);
  add_absent(run, panels);
  add_entry_panels(run, panels);
}

void add_trace_panels(RunFiles& run, Json& panels) {
  if (run.has("chains.csv")) {
    if (const std::optional<Table> trace = run.table("trace.csv", "draw")) add_chains(run, *trace, panels);
  } else if (const std::optional<Table> trace = run.table("trace.csv", "n")) {
    add_objective(run, *trace, panels);
  }
}

}  // namespace bochner::detail
