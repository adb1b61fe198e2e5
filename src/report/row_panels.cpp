#include "row_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bochner/core/parse_number.hpp"
#include "calibration_panels.hpp"
#include "encode.hpp"
#include "input_panels.hpp"
#include "panel.hpp"

namespace bochner::detail {

namespace {

constexpr Index most_points = 20'000;

Vector spread_out(const Vector& values) {
  if (values.size() <= most_points) return values;
  Vector out(most_points);
  for (Index i = 0; i < most_points; ++i) out(i) = values(i * values.size() / most_points);
  return out;
}

std::vector<std::string> spread_out(const std::vector<std::string>& names) {
  const auto n = Index(names.size());
  std::vector<std::string> out;
  for (Index i = 0; i < std::min(n, most_points); ++i)
    out.push_back(shortened(names[static_cast<std::size_t>(n <= most_points ? i : i * n / most_points)], 60));
  return out;
}

Json points_chart(const std::string& title, const std::string& x, const std::string& y, const Vector& xs,
                  const Vector& ys, const std::vector<std::string>& names) {
  return {{"title", title},
          {"x", x},
          {"y", y},
          {"xs", as_floats(spread_out(xs))},
          {"ys", as_floats(spread_out(ys))},
          {"names", spread_out(names)}};
}

void add_numbers(const TextTable& table, Json& panels) {
  Json fits = Json::array(), residuals = Json::array();
  std::vector<Places> places;
  for (const std::string& column : table.columns) {
    constexpr std::string_view ending = "_truth";
    if (!column.ends_with(ending) || fits.size() >= 6) continue;
    const std::string name = column.substr(0, column.size() - ending.size()), label = shortened(name, 60);
    const auto has = [&](const std::string& c) {
      return std::find(table.columns.begin(), table.columns.end(), c) != table.columns.end();
    };
    if (!has(name + "_mean") || !has(name + "_y_sd")) continue;
    const Vector truth = table.numbers(column), mean = table.numbers(name + "_mean"),
                 sd = table.numbers(name + "_y_sd");
    Json fit = points_chart(label, "predicted", "observed", mean, truth, table.ids);
    fit["diagonal"] = true;
    fits.push_back(std::move(fit));
    Json rest = points_chart(label, "predicted", "(observed - predicted) / sd", mean,
                             ((truth - mean).array() / sd.array()).matrix(), table.ids);
    rest["band"] = {-1.645, 1.645};
    residuals.push_back(std::move(rest));
    places.push_back({label, normal_places(truth, mean, sd)});
  }
  if (fits.empty()) return;
  Json out =
      panel("predicted", "points", "Predicted and observed",
            "Each point is a row that was held out; the closer to the line, the better. Hover for its id.");
  out["charts"] = std::move(fits);
  panels.push_back(std::move(out));
  Json rest = panel(
      "residuals", "points", "Residuals",
      "Errors in units of their predicted standard deviation: nine of ten should lie between the lines, "
      "without a trend.");
  rest["charts"] = std::move(residuals);
  panels.push_back(std::move(rest));
  add_calibration_panel(places, nullptr, panels);
}

/// Of the probability that the likeliest class was given, and how often it was right.
Json reliability_chart(const Vector& confidence, const std::vector<bool>& right) {
  constexpr Index bins = 10;
  Vector sum = Vector::Zero(bins), hits = Vector::Zero(bins), count = Vector::Zero(bins);
  for (Index i = 0; i < confidence.size(); ++i) {
    const Index bin = std::clamp<Index>(Index(confidence(i) * bins), 0, bins - 1);
    sum(bin) += confidence(i);
    hits(bin) += right[static_cast<std::size_t>(i)] ? 1 : 0;
    count(bin) += 1;
  }
  std::vector<double> x, y, lo, hi;
  for (Index b = 0; b < bins; ++b) {
    if (count(b) == 0) continue;
    const double n = count(b), p = hits(b) / n, z = 1.645;  // the interval of [wilson1927]
    const double mid = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    x.push_back(sum(b) / n);
    y.push_back(p);
    lo.push_back(mid - half);
    hi.push_back(mid + half);
  }
  const auto vector = [](const std::vector<double>& v) {
    return Eigen::Map<const Vector>(v.data(), Index(v.size()));
  };
  Json out = chart("", "probability of the predicted class", "share that was right",
                   Json::array({curve("held-out rows", vector(x), vector(y), vector(lo), vector(hi))}));
  out["diagonal"] = true;
  out["dots"] = true;
  return out;
}

void add_classes(const TextTable& table, Json& panels) {
  const std::vector<std::string>&truth = table.column("truth"), &guess = table.column("class");
  std::vector<std::string> classes;
  for (const std::string& column : table.columns)
    if (column.starts_with("p_")) classes.push_back(column.substr(2));
  std::map<std::string, Index> code;
  for (std::size_t k = 0; k < classes.size(); ++k) code[classes[k]] = Index(k);
  Matrix counts = Matrix::Zero(Index(classes.size()), Index(classes.size()));
  Vector confidence = Vector::Zero(Index(truth.size()));
  std::vector<bool> right;
  for (const std::string& name : classes) confidence = confidence.cwiseMax(table.numbers("p_" + name));
  for (std::size_t i = 0; i < truth.size(); ++i) {
    right.push_back(truth[i] == guess[i]);
    if (code.contains(truth[i]) && code.contains(guess[i])) counts(code[truth[i]], code[guess[i]]) += 1;
  }
  std::vector<std::string> names;
  for (const std::string& name : classes) names.push_back(shortened(name, 60));
  Json confusion =
      panel("confusion", "heatmap", "Confusion matrix",
            "Held-out rows by their true class (rows) and the predicted one (columns); errors are off the "
            "diagonal.");
  confusion.update(heatmap(names, names, counts));
  confusion["row_label"] = "true class";
  confusion["column_label"] = "predicted class";
  panels.push_back(std::move(confusion));
  Json reliable =
      panel("reliability", "lines", "Reliability",
            "How often the predicted class is right, against the probability it was given; on the diagonal "
            "probabilities mean what they say, below it they are too sure.");
  reliable["charts"] = Json::array({reliability_chart(confidence, right)});
  panels.push_back(std::move(reliable));
}

/// Errors against the mean and a line, or of classes against the most frequent one.
void add_row_scores(RunFiles& run, Json& panels) {
  std::vector<BarRow> rows;
  Json cells = Json::array();
  bool classes = false, logistic = false;
  for (const auto& [name, s] : member(run.metrics(), "heldout").items()) {
    classes = s.contains("accuracy");
    if (classes) {
      rows.push_back({shortened(name), {number_of(s, "accuracy"), number_of(s, "accuracy_frequent")}});
      cells.push_back({shortened(name), compact(number_of(s, "entries")), compact(number_of(s, "accuracy")),
                       compact(number_of(s, "accuracy_se")), compact(number_of(s, "accuracy_frequent")),
                       compact(number_of(s, "nll"))});
      logistic = s.contains("accuracy_linear");  // runs of earlier versions do not have it
      if (logistic) {
        rows.back().values.push_back(number_of(s, "accuracy_linear"));
        cells.back().push_back(compact(number_of(s, "accuracy_linear")));
        cells.back().push_back(compact(number_of(s, "nll_linear")));
      }
    } else if (const double mean = number_of(s, "rmse_mean"); mean > 0 && s.contains("rmse_linear")) {
      rows.push_back({shortened(name), {number_of(s, "rmse") / mean, number_of(s, "rmse_linear") / mean, 1}});
      cells.push_back({shortened(name), compact(number_of(s, "entries")), compact(number_of(s, "rmse")),
                       compact(number_of(s, "rmse_se")), compact(number_of(s, "rmse_linear")), compact(mean),
                       compact(number_of(s, "nll")), compact(100 * number_of(s, "coverage90"))});
    }
  }
  if (rows.empty()) return;
  Json out = panel(
      "heldout", "bars", "Held-out rows",
      classes ? "Share of held-out rows whose class is predicted correctly, against always saying the most "
                "frequent class and, where the run has it, logistic regression."
              : "Error on rows that were held out, divided by that of the mean of the outcome: the model "
                "earns its keep where it beats a line.");
  std::vector<std::string> names{"this model", "most frequent class"};
  std::vector<std::string> head{"outcome", "rows", "accuracy", "+-", "most frequent class", "nll"};
  if (logistic) {
    names.push_back("logistic regression");
    for (const char* more : {"logistic regression", "its nll"}) head.push_back(more);
  }
  out["charts"] = Json::array(
      {classes ? bars("", "accuracy", names, rows)
               : bars("", "error / error of the mean", {"this model", "linear regression", "mean"}, rows)});
  out["table"] = classes ? table_of(head, std::move(cells))
                         : table_of({"outcome", "rows", "RMSE", "+-", "RMSE, line", "RMSE, mean", "nll",
                                     "in 90 % intervals, %"},
                                    std::move(cells));
  panels.push_back(std::move(out));
}

void add_harmonics(RunFiles& run, const Compute& compute, Json& panels) {
  const AnyFit* any = run.fit();
  const auto* fit = any ? std::get_if<HarmonicFit>(any) : nullptr;
  if (!fit || fit->gp.groups() < 2) return;
  std::vector<BarRow> rows;
  const std::vector<LatentMarginals> parts = predict_parts(fit->gp, fit->gp.points(0), compute);
  const AnyLikelihood& likelihood = fit->gp.likelihood;
  const Index P =
      has_outcome(likelihood) ? outputs(likelihood) : fit->gp.latents();  // then come those of the noise
  const auto squares = [&](const LatentMarginals& part) { return part.mean.leftCols(P).squaredNorm(); };
  double all = 0;
  for (const LatentMarginals& part : parts) all += squares(part);
  for (std::size_t h = 0; h < parts.size(); ++h)
    rows.push_back({fmt::format("group {}", h + 1), {squares(parts[h]) / (all > 0 ? all : 1)}});
  std::string how =
      "Share of the predicted function, at the inducing points, that each group of harmonics of the symmetry";
  for (const std::string& word : fit->symmetries) how += " '" + word + "'";
  Json out = panel("harmonics", "bars", "Harmonic parts",
                   how + " carries; the first group is the part that the symmetry leaves as it is.");
  out["charts"] = Json::array({bars("", "share of the squared mean", {"share"}, rows)});
  panels.push_back(std::move(out));
}

/// Predictions of rows whose outcome is not known: what they are, and how sure.
void add_new_rows(const TextTable& table, Json& panels) {
  Json charts = Json::array();
  for (const std::string& column : table.columns) {
    if (column == "class") {
      std::map<std::string, double> count;
      for (const std::string& name : table.column(column)) count[name.empty() ? "none" : name] += 1;
      std::vector<BarRow> rows;
      for (const auto& [name, n] : count) rows.push_back({shortened(name, 60), {n}});
      Json out = panel("classes", "bars", "Predicted classes", "How many rows were given each class.");
      out["charts"] = Json::array({bars("", "rows", {"rows"}, rows)});
      panels.push_back(std::move(out));
    }
    constexpr std::string_view ending = "_mean";
    if (!column.ends_with(ending) || charts.size() >= 6) continue;
    const std::string name = column.substr(0, column.size() - ending.size());
    if (std::find(table.columns.begin(), table.columns.end(), name + "_y_sd") == table.columns.end())
      continue;
    charts.push_back(points_chart(shortened(name, 60), "predicted", "sd of an observation",
                                  table.numbers(column), table.numbers(name + "_y_sd"), table.ids));
  }
  if (!charts.empty()) {
    Json out = panel(
        "new-rows", "points", "Predictions",
        "Each point is a new row: what is predicted, and how far an observation may be from it; rows with "
        "the largest sd are least like those that the model has learned from. Hover for ids.");
    out["charts"] = std::move(charts);
    panels.push_back(std::move(out));
  }
  Json rows = Json::array();
  const std::size_t most = std::min<std::size_t>(table.ids.size(), 2000);
  for (std::size_t n = 0; n < most; ++n) {
    Json row = Json::array({shortened(table.ids[n], 60)});
    for (const std::vector<std::string>& cells : table.cells) {
      const std::optional<double> number = parse_number(cells[n]);
      row.push_back(number ? compact(*number) : Json(shortened(cells[n], 60)));
    }
    rows.push_back(std::move(row));
  }
  std::vector<std::string> columns{"row"};
  for (const std::string& name : table.columns) columns.push_back(shortened(name, 60));
  Json out = panel("rows", "table", "Predicted rows",
                   most < table.ids.size() ? "The first 2,000 rows; predictions.csv has all."
                                           : "Every row, as in predictions.csv.",
                   true);
  out["table"] = table_of(columns, std::move(rows));
  panels.push_back(std::move(out));
}

}  // namespace

void add_row_panels(RunFiles& run, const Compute& compute, Json& panels) {
  const std::optional<TextTable> table = run.text("predictions.csv");
  add_row_scores(run, panels);
  if (table) {
    const bool classes =
        std::find(table->columns.begin(), table->columns.end(), "class") != table->columns.end();
    if (classes && std::find(table->columns.begin(), table->columns.end(), "truth") != table->columns.end())
      add_classes(*table, panels);
    else
      add_numbers(*table, panels);
  }
  if (table && run.command() == "predict") add_new_rows(*table, panels);
  add_input_panels(run, panels);
  add_harmonics(run, compute, panels);
}

}  // namespace bochner::detail
