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
Table by_column(const Dimensions& d, const std::vector<Matrix>& values) {
  Table out{.columns = latent_columns(d.dims()), .values = Matrix(0, d.dims())};
  for (std::size_t v = 0; v < d.views.size(); ++v) {
    for (const std::string& column : d.views[v].columns) out.ids.push_back(d.views[v].view + "/" + column);
    const Index before = out.values.rows();
    out.values.conservativeResize(before + values[v].rows(), Eigen::NoChange);
    out.values.bottomRows(values[v].rows()) = values[v];
  }
  return out;
}

Table by_view(const Dimensions& d) {
  Table out{.ids = latent_columns(d.dims()), .values = d.relevance.by_view.transpose()};
  for (const Dimensions::Of& view : d.views) out.columns.push_back(view.view);
  return out;
}

const std::string& column_name(const Dimensions& d, const TopColumn& top) {
  return d.views[static_cast<std::size_t>(top.view)].columns[static_cast<std::size_t>(top.column)];
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
      const std::string& column = column_name(d, top);
      add_row(tops, {name, view.name, column, number(top.relevance), number(top.loading)});
      Matrix& own = responses[static_cast<std::size_t>(top.view)];
      if (own.size() == 0) own = response(fit, view, q, values, threads);
      for (Index i = 0; i < values.size(); ++i)
        add_row(curves, {name, view.name, column, number(values(i)), number(own(i, top.column))});
    }
  }
  return {tops, curves};
}

/// "rna/g7 (+) and rna/g2 (-)"; signs where there are loadings.
std::string top_line(const Dimensions& d, Index q) {
  std::vector<std::string> words;
  for (const TopColumn& top : top_columns(d.relevance, d.loadings, q, top_on_screen)) {
    std::string name = printable(column_name(d, top), 24);
    if (d.views.size() > 1)
      name = printable(d.views[static_cast<std::size_t>(top.view)].view, 16) + "/" + name;
    words.push_back(d.loadings.empty() ? name : fmt::format("{} ({})", name, top.loading < 0 ? "-" : "+"));
  }
  return words.empty() ? "" : join_list(words);
}

}  // namespace

Dimensions dimensions_of(const GplvmFit& fit, const Dataset& seen, const Threads& threads) {
  Dimensions out{{}, relevance(fit, seen, threads), loadings(fit, seen, threads)};
  for (const GplvmView& view : fit.views) out.views.push_back({view.name, view.columns});
  return out;
}

Dimensions dimensions_of(const BayesFit& fit, const Dataset& seen, const Threads& threads) {
  Dimensions out{{}, relevance(fit, seen, threads), {}};
  for (const BayesViewFit& view : fit.views)
    out.views.push_back({view.name, view.columns, !explains_entries(view)});
  return out;
}

std::vector<std::string> roles(const Dimensions& d) {
  const BoolMatrix depends = views_of_dimensions(d.relevance);
  std::vector<std::string> out;
  for (Index q = 0; q < depends.cols(); ++q) {
    const Index views = depends.col(q).count();
    Index only = 0;
    while (only + 1 < depends.rows() && !depends(only, q)) ++only;
    out.push_back(views == 0            ? "unused"
                  : d.views.size() == 1 ? "used"
                  : views > 1           ? "shared"
                              : printable(d.views[static_cast<std::size_t>(only)].view, 20) + " only");
  }
  return out;
}

Json explained_json(const Dimensions& d) {
  Json out = Json::object();
  for (std::size_t v = 0; v < d.views.size(); ++v)
    out[d.views[v].view] = d.relevance.explained(static_cast<Index>(v));
  return out;
}

std::string dimensions_text(const Dimensions& d) {
  const Index shown = std::min(d.dims(), most_dimensions_on_screen);
  const std::vector<std::string> names = latent_columns(d.dims()), role = roles(d);
  std::vector<std::vector<std::string>> rows{{"variance explained (training)"}};
  for (Index q = 0; q < shown; ++q) rows.front().push_back(names[static_cast<std::size_t>(q)]);
  rows.front().push_back("all");
  for (std::size_t v = 0; v < d.views.size(); ++v) {
    std::vector<std::string> row{"  " + printable(d.views[v].view, 30) +
                                 (d.views[v].functions ? ", of f" : "")};
    for (Index q = 0; q < shown; ++q) row.push_back(percent(d.relevance.by_view(Index(v), q)));
    row.push_back(percent(d.relevance.explained(Index(v))));
    rows.push_back(row);
  }
  if (d.views.size() > 1 || std::count(role.begin(), role.end(), "unused") > 0) {
    rows.push_back({"  dimension is"});
    for (Index q = 0; q < shown; ++q) rows.back().push_back(role[static_cast<std::size_t>(q)]);
    rows.back().emplace_back();
  }
  std::string out = align(rows, false);
  if (shown < d.dims())
    out += fmt::format("  {} more in relevance.csv\n", counted(d.dims() - shown, "dimension"));
  for (Index q = 0; q < shown; ++q)
    if (const std::string top = top_line(d, q); !top.empty())
      out += "  " + wrap(fmt::format("{}: {}", names[static_cast<std::size_t>(q)], top), 98, 6);
  return out + "\n";
}

void write_relevance(const Dimensions& d, const RunFolder& run) {
  write_csv(run.path("relevance.csv"), by_view(d), "dimension");
  write_csv(run.path("relevance_columns.csv"), by_column(d, d.relevance.by_column), "column");
}

void write_dimensions(const Dimensions& d, const GplvmFit& fit, const RunFolder& run,
                      const Threads& threads) {
  write_relevance(d, run);
  write_csv(run.path("loadings.csv"), by_column(d, d.loadings), "column");
  const auto [tops, curves] = top_tables(d, fit, threads);
  write_csv(run.path("top_columns.csv"), tops, "n");
  write_csv(run.path("responses.csv"), curves, "n");
}

}  // namespace bochner::cli
