#include "calibration_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "encode.hpp"
#include "panel.hpp"

namespace bochner::detail {

namespace {

constexpr std::size_t most_points = 3000, most_views = 6;

/// The entries of a view, in the order of the file.
struct EntriesOfView {
  std::string view;
  std::vector<std::string> names;  // sample, column
  std::vector<double> observed, mean, pit;
};

/// The entries of a column of a table.
struct EntriesOfColumn {
  std::string view, column;
  std::vector<double> pit;
};

Vector as_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), Index(values.size()));
}

Vector thinned(const std::vector<double>& values) {
  const std::size_t n = values.size(), kept = std::min(n, most_points);
  Vector out(static_cast<Index>(kept));
  for (std::size_t i = 0; i < kept; ++i) out(Index(i)) = values[i * n / kept];
  return out;
}

void add_points(const std::vector<EntriesOfView>& views, Json& panels) {
  Json charts = Json::array();
  for (const EntriesOfView& v : views) {
    if (charts.size() >= most_views) break;
    const std::size_t n = v.names.size(), kept = std::min(n, most_points);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < kept; ++i) names.push_back(v.names[i * n / kept]);
    charts.push_back({{"title", shortened(v.view, 60)},
                      {"x", "predicted"},
                      {"y", "observed"},
                      {"xs", as_floats(thinned(v.mean))},
                      {"ys", as_floats(thinned(v.observed))},
                      {"names", std::move(names)},
                      {"diagonal", true}});
  }
  Json out =
      panel("entries", "points", "Held-out entries, predicted and observed",
            "Each point is an entry of a table that was hidden from the fit; the closer to the line, the "
            "better. Hover for its sample and column.",
            charts.size() > 1);
  out["charts"] = std::move(charts);
  panels.push_back(std::move(out));
}

/// How far the share of a column in its 90 % intervals is from 90 %, in standard errors.
double surprise(const EntriesOfColumn& c) {
  double within = 0;
  for (const double p : c.pit) within += std::abs(2 * p - 1) <= 0.9 ? 1 : 0;
  const double n = double(c.pit.size());
  return (within / n - 0.9) / std::sqrt(0.9 * 0.1 / n);
}

/// The calibration of each column, those furthest from it first.
Json column_table(std::vector<EntriesOfColumn> columns) {
  constexpr std::size_t least_entries = 3;
  std::erase_if(columns, [](const EntriesOfColumn& c) { return c.pit.size() < least_entries; });
  if (columns.empty()) return nullptr;
  std::stable_sort(columns.begin(), columns.end(), [](const EntriesOfColumn& a, const EntriesOfColumn& b) {
    return std::abs(surprise(a)) > std::abs(surprise(b));
  });
  Json rows = Json::array();
  for (const EntriesOfColumn& c : columns) {
    const Vector pit = as_vector(c.pit);
    const auto share = [&](double level) {
      return compact(100 * ((2 * pit.array() - 1).abs() <= level).cast<double>().mean());
    };
    rows.push_back({shortened(c.view, 60), shortened(c.column, 120), c.pit.size(), share(0.5), share(0.9),
                    compact(surprise(c)), compact(pit.mean())});
  }
  return table_of({"view", "column", "entries", "in 50 % intervals, %", "in 90 % intervals, %",
                   "(share - 90 %) / se", "mean PIT"},
                  std::move(rows));
}

}  // namespace

Vector normal_places(const Vector& observed, const Vector& mean, const Vector& sd) {
  std::vector<double> out;
  for (Index i = 0; i < observed.size(); ++i)
    if (const double z = (observed(i) - mean(i)) / sd(i); sd(i) > 0 && std::isfinite(z))
      out.push_back(0.5 * std::erfc(-z / std::sqrt(2.0)));
  return as_vector(out);
}

void add_calibration_panel(const std::vector<Places>& places, Json columns, Json& panels) {
  constexpr Index levels = 19, bins = 20, least = 20;
  Json coverage = Json::array(), pit = Json::array();
  for (const Places& of : places) {
    if (of.pit.size() < least) continue;
    const Vector level = Vector::LinSpaced(levels, 0.05, 0.95);
    Vector share(levels), density = Vector::Zero(bins);
    for (Index i = 0; i < levels; ++i)
      share(i) = ((2 * of.pit.array() - 1).abs() <= level(i)).cast<double>().mean();
    for (const double u : of.pit)
      density(std::clamp<Index>(Index(u * bins), 0, bins - 1)) += double(bins) / double(of.pit.size());
    coverage.push_back(curve(of.name, level, share));
    pit.push_back(curve(of.name, Vector::LinSpaced(bins, 0.5 / bins, 1 - 0.5 / bins), density));
  }
  if (coverage.empty()) return;
  std::string how =
      "Coverage: the share of held-out values in intervals of each level, on the diagonal if intervals are "
      "honest. PIT: where values fall in their predictive distributions; flat is right, a hump means "
      "intervals "
      "too wide, a bowl too narrow.";
  if (!columns.is_null()) how += " The numbers below are of each column, those furthest from 90 % first.";
  Json out = panel("calibration", "lines", "Calibration", how, true);
  Json left = chart("coverage", "level of the interval", "share of values in it", std::move(coverage));
  left["diagonal"] = true;
  Json right = chart("PIT", "place in the predictive distribution", "density", std::move(pit));
  right["step"] = true;
  right["level"] = 1;
  out["charts"] = Json::array({std::move(left), std::move(right)});
  if (!columns.is_null()) out["table"] = std::move(columns);
  panels.push_back(std::move(out));
}

void add_entry_panels(RunFiles& run, Json& panels) {
  const std::optional<TextTable> entries = run.text("heldout_entries.csv", "n");
  if (!entries) return;
  const std::vector<std::string>&view = entries->column("view"), &sample = entries->column("sample"),
        &column = entries->column("column");
  const Vector observed = entries->numbers("observed"), mean = entries->numbers("mean"),
               pit = entries->numbers("pit");
  std::vector<EntriesOfView> views;
  std::vector<EntriesOfColumn> columns;
  std::map<std::pair<std::string, std::string>, std::size_t> at;
  for (std::size_t i = 0; i < view.size(); ++i) {
    if (!std::isfinite(pit(Index(i)))) continue;
    if (views.empty() || views.back().view != view[i]) views.push_back({view[i], {}, {}, {}, {}});
    EntriesOfView& own = views.back();
    own.names.push_back(shortened(sample[i], 60) + ", " + shortened(column[i], 60));
    own.observed.push_back(observed(Index(i)));
    own.mean.push_back(mean(Index(i)));
    own.pit.push_back(pit(Index(i)));
    const auto [found, added] = at.try_emplace({view[i], column[i]}, columns.size());
    if (added) columns.push_back({view[i], column[i], {}});
    columns[found->second].pit.push_back(pit(Index(i)));
  }
  if (views.empty()) return;
  add_points(views, panels);
  std::vector<Places> places;
  for (const EntriesOfView& v : views) places.push_back({shortened(v.view, 60), as_vector(v.pit)});
  add_calibration_panel(places, column_table(std::move(columns)), panels);
}

}  // namespace bochner::detail
