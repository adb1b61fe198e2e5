#include "input_panels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/core/parse_number.hpp"
#include "panel.hpp"

namespace bochner::detail {

namespace {

constexpr std::size_t most_inputs = 30, most_curves = 6, most_levels = 30;

void add_bars(std::vector<BarRow> rows, const char* axis, const std::string& how, Json& panels) {
  if (rows.empty()) return;
  std::stable_sort(rows.begin(), rows.end(),
                   [](const BarRow& a, const BarRow& b) { return a.values[0] > b.values[0]; });
  const std::size_t all = rows.size();
  if (all > most_inputs) rows.resize(most_inputs);
  Json out = panel("inputs", "bars", "Relevance of inputs",
                   how + (all > most_inputs ? fmt::format(" The {} largest of {}.", most_inputs, all) : ""));
  out["charts"] = Json::array({bars("", axis, {"relevance"}, rows)});
  panels.push_back(std::move(out));
}

/// input_relevance.csv; false if the run has none.
bool add_relevance(RunFiles& run, Json& panels) {
  const std::optional<Table> table = run.table("input_relevance.csv", "input");
  if (!table || table->cols() != 1) return false;
  std::vector<BarRow> rows;
  for (Index d = 0; d < table->rows(); ++d)
    if (std::isfinite(table->values(d, 0)))
      rows.push_back({shortened(table->ids[static_cast<std::size_t>(d)], 60), {table->values(d, 0)}});
  add_bars(
      std::move(rows), "share of the variance of predictions",
      "How much predictions change when the values of an input are shuffled: half the mean squared change, "
      "as a share of their "
      "variance (the total Sobol index where inputs are independent). Shares add up to more than one where "
      "inputs act together.",
      panels);
  return true;
}

/// Runs of earlier versions and models of Python have length-scales alone.
void add_lengthscales(RunFiles& run, Json& panels) {
  const Json kernel = run.json("kernel.json");
  const Json &ell = member(kernel, "ell"), &inputs = member(kernel, "inputs");
  if (!ell.is_array() || !inputs.is_array() || ell.size() != inputs.size() || ell.empty()) return;
  std::vector<BarRow> rows;
  for (std::size_t d = 0; d < ell.size(); ++d)
    if (ell[d].is_number() && ell[d].get<double>() > 0 && inputs[d].is_string())
      rows.push_back({shortened(inputs[d].get<std::string>(), 60), {1 / ell[d].get<double>()}});
  const bool equal = std::all_of(rows.begin(), rows.end(),
                                 [&](const BarRow& row) { return row.values == rows.front().values; });
  add_bars(
      std::move(rows), "1 / length-scale",
      equal ? "One over the length-scale of each scaled input. One length-scale was fitted for all of them; "
              "fit with a length-scale per input (ard) to tell them apart."
            : "One over the length-scale of each scaled input: the outcome changes quickly along inputs with "
              "long bars, and hardly along those with short ones.",
      panels);
}

/// Rows [begin, end) of partial_dependence.csv, those of one input.
struct OneInput {
  std::size_t begin, end;
};

std::vector<OneInput> inputs_of(const std::vector<std::string>& input) {
  std::vector<OneInput> out;
  for (std::size_t n = 0; n < input.size(); ++n)
    if (n == 0 || input[n] != input[n - 1])
      out.push_back({n, n + 1});
    else
      out.back().end = n + 1;
  return out;
}

/// The values of an input, or none where one of them is a word.
std::optional<Vector> numbers_in(const std::vector<std::string>& cells, const OneInput& own) {
  Vector out(Index(own.end - own.begin));
  for (std::size_t n = own.begin; n < own.end; ++n) {
    const std::optional<double> number = parse_number(cells[n]);
    if (!number) return std::nullopt;
    out(Index(n - own.begin)) = *number;
  }
  return out;
}

void add_dependence(RunFiles& run, Json& panels) {
  const std::optional<TextTable> table = run.text("partial_dependence.csv", "n");
  if (!table || table->columns.size() < 3 || table->columns[0] != "input" || table->columns[1] != "value")
    return;
  const std::vector<std::string>&input = table->cells[0], &value = table->cells[1];
  std::vector<std::string> names;  // of what is predicted
  std::vector<Vector> means;
  for (std::size_t c = 2; c < table->columns.size() && means.size() < most_curves; ++c) {
    constexpr std::string_view ending = "_mean";
    const std::string& column = table->columns[c];
    names.push_back(
        shortened(column.ends_with(ending) ? column.substr(0, column.size() - ending.size()) : column, 60));
    means.push_back(table->numbers(column));
  }
  const std::string axis = names.size() == 1 ? names.front() : "";
  Json charts = Json::array();
  for (const OneInput& own : inputs_of(input)) {
    const std::optional<Vector> x = numbers_in(value, own);
    if (!x || charts.size() >= most_curves) continue;  // words have no order, hence no curve
    Json curves = Json::array();
    for (std::size_t c = 0; c < means.size(); ++c)
      curves.push_back(curve(names[c], *x, Vector(means[c].segment(Index(own.begin), x->size()))));
    charts.push_back(chart("", shortened(input[own.begin], 60), axis, std::move(curves)));
  }
  if (!charts.empty()) {
    Json out = panel("dependence", "lines", "Partial dependence",
                     "The mean prediction as one input varies and the others are as in the rows: what the "
                     "model has learned "
                     "about the inputs that count most.",
                     true);
    out["charts"] = std::move(charts);
    out["small"] = true;
    panels.push_back(std::move(out));
  }
  Json levels = Json::array();
  for (const OneInput& own : inputs_of(input)) {
    if (numbers_in(value, own) || levels.size() >= most_curves) continue;
    std::vector<BarRow> rows;
    for (std::size_t n = own.begin; n < std::min(own.end, own.begin + most_levels); ++n) {
      BarRow row{shortened(value[n], 60), {}};
      for (const Vector& mean : means) row.values.push_back(mean(Index(n)));
      rows.push_back(std::move(row));
    }
    levels.push_back(bars(shortened(input[own.begin], 60), axis, names, rows));
  }
  if (levels.empty()) return;
  Json out = panel("levels", "bars", "Partial dependence on categories",
                   "The mean prediction with every row in one category, and its other inputs as they are.");
  out["charts"] = std::move(levels);
  panels.push_back(std::move(out));
}

}  // namespace

void add_input_panels(RunFiles& run, Json& panels) {
  if (run.command() == "predict") return;
  if (!add_relevance(run, panels)) add_lengthscales(run, panels);
  add_dependence(run, panels);
}

}  // namespace bochner::detail
