#include "forecast.hpp"

#include <fmt/format.h>

#include "bochner/core/calendar.hpp"
#include "bochner/tables/csv.hpp"
#include "cli/commands/fit/latent_tables.hpp"
#include "results.hpp"

namespace bochner::cli {

namespace {

/// "2020-12-31", after the name of the group if there are several.
std::string date_id(const TimeAxis& axis, Index row, double time) {
  if (axis.group.empty()) return date_text(time);
  const auto group = static_cast<std::size_t>(axis.group[static_cast<std::size_t>(row)]);
  return axis.group_names[group] + " " + date_text(time);
}

bool has_labels(const BayesViewFit& view) { return view.likelihood == BayesLikelihood::categorical; }

}  // namespace

ForecastAnswer make_forecast(const BayesFit& fit, const BayesData& data, Index steps,
                             const Threads& threads) {
  const Rng rng = Rng(fit.seed).split("forecast");
  const std::vector<Vector> times = following_times(fit, data.axis, steps);
  const std::vector<Matrix> X = forecast_at(fit, data.axis, times, rng);
  ForecastAnswer out{
      .ids = {}, .time = Vector(X.front().rows()), .latent = summary(X), .views = {}, .scores = {}};
  std::size_t group = 0;
  for (Index i = 0, at = 0; i < fit.grid.size(); ++i) {
    if (i + 1 < fit.grid.size() && fit.grid.gap(i + 1) > 0) continue;
    const Index last = fit.grid.order[static_cast<std::size_t>(i)];
    const Vector& next = times[group++];
    for (Index k = 0; k < steps; ++k, ++at) {
      out.ids.push_back(data.axis.dates
                            ? date_id(data.axis, last, next(k))
                            : fmt::format("{}+{}", fit.ids[static_cast<std::size_t>(last)], k + 1));
      out.time(at) = next(k);
    }
  }
  for (const BayesViewFit& view : fit.views)
    out.views.push_back(predict(view, X, {}, {.interval = has_labels(view) ? 0 : 0.9}, rng, threads));
  out.scores = backtest(fit, data, steps, rng.split("backtest"), threads);
  return out;
}

void write_forecast(const ForecastAnswer& answer, const BayesFit& fit, RunFolder& run) {
  Table path{
      .ids = answer.ids, .columns = {"time"}, .values = Matrix(answer.time.size(), 1 + 2 * fit.dims())};
  for (const char* ending : {"", "_sd"})
    for (const std::string& name : latent_columns(fit.dims())) path.columns.push_back(name + ending);
  path.values << answer.time, answer.latent.mean, answer.latent.sd;
  write_csv(run.path("forecast_latent.csv"), path);
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    const BayesViewFit& view = fit.views[v];
    const Vector factors =
        view.row_median > 0 ? Vector(Vector::Constant(answer.time.size(), view.row_median)) : Vector();
    const BayesPrediction p = multiply_rows(answer.views[v], factors);
    const auto write = [&](const char* ending, const Matrix& values) {
      write_csv(run.output("forecast/" + view.name + ending + ".csv"),
                Table{answer.ids, function_names(view), values});
    };
    if (has_labels(view)) {
      write("_probability", p.mean);
      continue;
    }
    write("", p.median);
    write("_mean", p.mean);
    write("_lo", p.low);
    write("_hi", p.high);
  }
}

}  // namespace bochner::cli
