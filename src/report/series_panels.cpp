#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/parse_number.hpp"
#include "encode.hpp"
#include "panel.hpp"
#include "row_panels.hpp"

namespace bochner::detail {

namespace {

constexpr std::size_t most_series = 6;

/// Times as numbers, or 1, 2, .. where they are something else.
Vector times_of(const std::vector<std::string>& ids) {
  Vector out(Index(ids.size()));
  for (Index i = 0; i < out.size(); ++i) {
    const std::optional<double> t = parse_number(ids[static_cast<std::size_t>(i)]);
    if (!t) return Vector::LinSpaced(out.size(), 1, double(out.size()));
    out(i) = *t;
  }
  return out;
}

/// The mean of a series with the intervals of its forecast: columns NAME, NAME_lo80, NAME_hi80, ..
Json fan(const Table& table, Index column, const Vector& t) {
  const std::string& name = table.columns[static_cast<std::size_t>(column)];
  Json out = Json::array();
  for (Index c = column + 1; c + 1 < table.cols(); c += 2) {
    const std::string& low = table.columns[static_cast<std::size_t>(c)];
    if (!low.starts_with(name + "_lo")) break;
    out.push_back(curve(low.substr(name.size() + 3) + " % interval", t, table.values.col(column),
                        table.values.col(c), table.values.col(c + 1)));
  }
  std::reverse(out.begin(), out.end());  // the widest below
  if (out.empty()) out.push_back(curve("forecast", t, table.values.col(column)));
  return out;
}

/// The last values that the model has seen.
void add_past(const ForecastFit& fit, std::size_t series, const Vector& t, Json& curves) {
  const auto s = Index(series);
  if (s >= fit.series()) return;
  const Index n = fit.tail.rows();
  const double step = t.size() > 1 ? t(1) - t(0) : 1;
  Vector x(n);
  for (Index i = 0; i < n; ++i) x(i) = t(0) - step * double(n - i);
  curves.push_back(curve("past", x, (fit.tail.col(s).array() * fit.scale(s) + fit.centre(s)).matrix()));
}

void add_backtest(RunFiles& run, Json& panels) {
  const std::optional<Table> folds = run.table("backtest.csv", "fold");
  if (!folds) return;
  const auto column = [&](const char* name) -> Index {
    return std::find(folds->columns.begin(), folds->columns.end(), name) - folds->columns.begin();
  };
  const Index own = column("rmse"), naive = column("rmse_seasonal_naive"), ar = column("rmse_linear_ar"),
              covered = column("coverage90"), before = column("times_before");
  if (std::max({own, naive, ar, covered, before}) >= folds->cols()) return;
  struct Other {
    Index column;
    const char *name, *head;
  };
  std::vector<Other> others;  // runs of earlier versions lack them
  for (const Other& o : {Other{column("rmse_smoothing"), "exponential smoothing", "smoothing"},
                         Other{column("rmse_mean"), "mean of the past", "mean"}})
    if (o.column < folds->cols()) others.push_back(o);
  std::vector<BarRow> rows;
  Json cells = Json::array();
  for (Index k = 0; k < folds->rows(); ++k) {
    const auto f = folds->values.row(k);
    const std::string name = "fold " + folds->ids[static_cast<std::size_t>(k)];
    rows.push_back({name, {f(own), f(ar), f(naive)}});
    cells.push_back({name, compact(f(before)), compact(f(own)), compact(f(ar)), compact(f(naive))});
    for (const Other& o : others) {
      rows.back().values.push_back(f(o.column));
      cells.back().push_back(compact(f(o.column)));
    }
    cells.back().push_back(compact(100 * f(covered)));
  }
  Json out = panel(
      "backtest", "bars", "Backtest",
      "Errors of forecasts from earlier times, each by a model that had not seen what it forecasts, against "
      "simple forecasts.");
  std::vector<std::string> names{"this model", "linear autoregression", "seasonal naive"};
  std::vector<std::string> head{"fold", "times before", "RMSE", "linear AR", "seasonal naive"};
  for (const Other& o : others) {
    names.emplace_back(o.name);
    head.emplace_back(o.head);
  }
  head.push_back("in 90 % intervals, %");
  out["charts"] = Json::array({bars("", "RMSE", names, rows)});
  out["table"] = table_of(head, std::move(cells));
  panels.push_back(std::move(out));
}

}  // namespace

void add_forecast_panels(RunFiles& run, Json& panels) {
  const std::optional<Table> table = run.table("forecast.csv", "time");
  if (!table) return;
  const AnyFit* any = run.fit();
  const auto* fit = any ? std::get_if<ForecastFit>(any) : nullptr;
  const Vector t = times_of(table->ids);
  Json charts = Json::array();
  std::size_t series = 0;
  for (Index c = 0; c < table->cols() && charts.size() < most_series; ++series) {
    Json curves = fan(*table, c, t);
    const std::string name = table->columns[static_cast<std::size_t>(c)];
    for (++c; c < table->cols() && table->columns[static_cast<std::size_t>(c)].starts_with(name + "_");) ++c;
    if (fit) add_past(*fit, series, t, curves);
    charts.push_back(chart(shortened(name, 60), "time", shortened(name, 60), std::move(curves)));
  }
  Json out = panel(
      "forecast", "lines", "Forecast",
      "The last values of each series and what follows; the bands hold future values with the probability "
      "that they are named after.",
      true);
  out["charts"] = std::move(charts);
  panels.push_back(std::move(out));
  add_backtest(run, panels);
}

void add_kpca_panels(RunFiles& run, Json& panels) {
  if (const std::optional<Table> components = run.table("components.csv", "component");
      components && components->cols() >= 3) {
    const Index s = components->rows();
    const Vector number = Vector::LinSpaced(s, 1, double(s));
    Json out = panel("scree", "lines", "Eigenvalues",
                     "Share of the variance in feature space that each component explains, and all up to it: "
                     "an elbow says "
                     "how many components matter.");
    Json one = chart("", "component", "share of the variance",
                     Json::array({curve("component", number, components->values.col(1)),
                                  curve("all so far", number, components->values.col(2))}));
    one["dots"] = true;
    out["charts"] = Json::array({std::move(one)});
    panels.push_back(std::move(out));
  }
  std::vector<BarRow> rows;
  for (const auto& [view, s] : member(run.metrics(), "crossview").items())
    rows.push_back({shortened(view), {number_of(s, "r2")}});
  if (rows.empty()) return;
  Json out = panel(
      "crossview", "bars", "Views from each other",
      "Each view of held-out samples predicted from the others: R^2 near 1 means that the others know it, "
      "near 0 that they do not.");
  out["charts"] = Json::array({bars("", "R^2 on held-out samples", {"R^2"}, rows)});
  panels.push_back(std::move(out));
}

}  // namespace bochner::detail
