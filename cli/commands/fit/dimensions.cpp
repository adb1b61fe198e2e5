#include "dimensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bochner/core/messages.hpp"
#include "bochner/tables/csv.hpp"
#include "cli/frame/text.hpp"
#include "latent_tables.hpp"

namespace bochner::cli {

namespace {

constexpr Index top_in_file = 20, top_on_screen = 5, most_dimensions_on_screen = 8;
constexpr Index response_points = 21;

std::string percent(double share) {
  return fmt::format("{:.1f} %", std::abs(share) < 5e-4 ? 0.0 : 100 * share);  // no -0.0
}

/// Rows "view/column" of all views, a column for each dimension.
Table by_column(const GplvmFit& fit, const std::vector<Matrix>& values) {
  Table out{.columns = latent_columns(fit.dims()), .values = Matrix(0, fit.dims())};
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    for (const std::string& column : fit.views[v].columns)
      out.ids.push_back(fit.views[v].name + "/" + column);
    const Index before = out.values.rows();
    out.values.conservativeResize(before + values[v].rows(), Eigen::NoChange);
    out.values.bottomRows(values[v].rows()) = values[v];
  }
  return out;
}

Table by_view(const Dimensions& d, const GplvmFit& fit) {
  Table out{.ids = latent_columns(fit.dims()), .values = d.relevance.by_view.transpose()};
  for (const GplvmView& view : fit.views) out.columns.push_back(view.name);
  return out;
}

const std::string& column_name(const GplvmFit& fit, const TopColumn& top) {
  return fit.views[static_cast<std::size_t>(top.view)].columns[static_cast<std::size_t>(top.column)];
}

void add_row(TextTable& table, const std::vector<std::string>& cells) {
  table.ids.push_back(std::to_string(table.ids.size() + 1));
  table.cells.resize(cells.size());
  for (std::size_t c = 0; c < cells.size(); ++c) table.cells[c].push_back(cells[c]);
}

/// The top columns of every dimension, and their response curves.
std::pair<TextTable, TextTable> top_tables(const Dimensions& d, const GplvmFit& fit, const Threads& threads) {
  const std::vector<std::string> names = latent_columns(fit.dims());
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  TextTable tops{.columns = {"dimension", "view", "column", "relevance", "loading"}},
      curves{.columns = {"dimension", "view", "column", "z", "mean"}};
  tops.cells.resize(5);
  curves.cells.resize(5);
  for (Index q = 0; q < fit.dims(); ++q) {
    const std::string& name = names[static_cast<std::size_t>(q)];
    const Vector values = response_values(fit, q, response_points);
    std::vector<Matrix> responses(fit.views.size());
    for (const TopColumn& top : top_columns(d.relevance, d.loadings, q, top_in_file)) {
      const GplvmView& view = fit.views[static_cast<std::size_t>(top.view)];
      const std::string& column = column_name(fit, top);
      add_row(tops, {name, view.name, column, number(top.relevance), number(top.loading)});
      Matrix& own = responses[static_cast<std::size_t>(top.view)];
      if (own.size() == 0) own = response(fit, view, q, values, threads);
      for (Index i = 0; i < values.size(); ++i)
        add_row(curves, {name, view.name, column, number(values(i)), number(own(i, top.column))});
    }
  }
  return {tops, curves};
}

std::string top_line(const Dimensions& d, const GplvmFit& fit, Index q) {
  std::vector<std::string> words;
  for (const TopColumn& top : top_columns(d.relevance, d.loadings, q, top_on_screen)) {
    std::string name = printable(column_name(fit, top), 24);
    if (fit.views.size() > 1)
      name = printable(fit.views[static_cast<std::size_t>(top.view)].name, 16) + "/" + name;
    words.push_back(fmt::format("{} ({})", name, top.loading < 0 ? "-" : "+"));
  }
  return words.empty() ? "" : join_list(words);
}

}  // namespace

Dimensions dimensions_of(const GplvmFit& fit, const Dataset& seen, const Threads& threads) {
  return {relevance(fit, seen, threads), loadings(fit, seen, threads)};
}

std::vector<std::string> roles(const Dimensions& dimensions, const GplvmFit& fit) {
  const BoolMatrix depends = views_of_dimensions(dimensions.relevance);
  std::vector<std::string> out;
  for (Index q = 0; q < depends.cols(); ++q) {
    const Index views = depends.col(q).count();
    Index only = 0;
    while (only + 1 < depends.rows() && !depends(only, q)) ++only;
    out.push_back(views == 0              ? "unused"
                  : fit.views.size() == 1 ? "used"
                  : views > 1             ? "shared"
                              : printable(fit.views[static_cast<std::size_t>(only)].name, 20) + " only");
  }
  return out;
}

std::string dimensions_text(const Dimensions& d, const GplvmFit& fit) {
  const Index shown = std::min(fit.dims(), most_dimensions_on_screen);
  const std::vector<std::string> names = latent_columns(fit.dims()), role = roles(d, fit);
  std::vector<std::vector<std::string>> rows{{"variance explained (training)"}};
  for (Index q = 0; q < shown; ++q) rows.front().push_back(names[static_cast<std::size_t>(q)]);
  rows.front().push_back("all");
  for (std::size_t v = 0; v < fit.views.size(); ++v) {
    std::vector<std::string> row{"  " + printable(fit.views[v].name, 30)};
    for (Index q = 0; q < shown; ++q) row.push_back(percent(d.relevance.by_view(Index(v), q)));
    row.push_back(percent(d.relevance.explained(Index(v))));
    rows.push_back(row);
  }
  if (fit.views.size() > 1 || std::count(role.begin(), role.end(), "unused") > 0) {
    rows.push_back({"  dimension is"});
    for (Index q = 0; q < shown; ++q) rows.back().push_back(role[static_cast<std::size_t>(q)]);
    rows.back().emplace_back();
  }
  std::string out = align(rows, false);
  if (shown < fit.dims())
    out += fmt::format("  {} more in relevance.csv\n", counted(fit.dims() - shown, "dimension"));
  for (Index q = 0; q < shown; ++q)
    if (const std::string top = top_line(d, fit, q); !top.empty())
      out += "  " + wrap(fmt::format("{}: {}", names[static_cast<std::size_t>(q)], top), 98, 6);
  return out + "\n";
}

void write_dimensions(const Dimensions& d, const GplvmFit& fit, const RunFolder& run,
                      const Threads& threads) {
  write_csv(run.path("relevance.csv"), by_view(d, fit), "dimension");
  write_csv(run.path("relevance_columns.csv"), by_column(fit, d.relevance.by_column), "column");
  write_csv(run.path("loadings.csv"), by_column(fit, d.loadings), "column");
  const auto [tops, curves] = top_tables(d, fit, threads);
  write_csv(run.path("top_columns.csv"), tops, "n");
  write_csv(run.path("responses.csv"), curves, "n");
}

}  // namespace bochner::cli
