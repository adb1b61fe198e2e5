#include "dimensions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
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

std::string number(double value) { return std::isnan(value) ? "" : fmt::format("{:.6g}", value); }

/// The top columns of every dimension.
TextTable top_table(const Dimensions& d) {
  const std::vector<std::string> names = latent_columns(d.dims());
  TextTable out{.columns = {"dimension", "view", "column", "relevance", "lower", "loading"}};
  if (!d.loadings_sd.empty()) out.columns.emplace_back("loading_sd");
  out.cells.resize(out.columns.size());
  for (Index q = 0; q < d.dims(); ++q)
    for (const TopColumn& top : top_columns(d.relevance, d.loadings, q, top_in_file)) {
      const auto v = static_cast<std::size_t>(top.view);
      std::vector<std::string> cells{names[static_cast<std::size_t>(q)],
                                     d.views[v].view,
                                     column_name(d, top),
                                     number(top.relevance),
                                     number(top.lower),
                                     number(top.loading)};
      if (!d.loadings_sd.empty()) cells.push_back(number(d.loadings_sd[v](top.column, q)));
      add_row(out, cells);
    }
  return out;
}

/// The curves of all columns of a view along a dimension; `low` and `high` may be empty.
struct Curves {
  Matrix mean, low, high;
};

/// How the top columns answer to their dimension. `curves(v, q, values)` are those of view v.
template <class OfView>
TextTable response_table(const Dimensions& d, const Matrix& latents, bool intervals, const OfView& curves) {
  const std::vector<std::string> names = latent_columns(d.dims());
  TextTable out{.columns = {"dimension", "view", "column", "z", "mean"}};
  if (intervals) out.columns.insert(out.columns.end(), {"lo", "hi"});
  out.cells.resize(out.columns.size());
  for (Index q = 0; q < d.dims(); ++q) {
    const Vector values = response_values(latents, q, response_points);
    std::vector<std::optional<Curves>> by_view(d.views.size());
    for (const TopColumn& top : top_columns(d.relevance, d.loadings, q, top_in_file)) {
      const auto v = static_cast<std::size_t>(top.view);
      if (!by_view[v]) by_view[v] = curves(v, q, values);
      const Curves& own = *by_view[v];
      for (Index i = 0; i < values.size(); ++i) {
        if (std::isnan(own.mean(i, top.column))) continue;  // a label of several classes
        std::vector<std::string> cells{names[static_cast<std::size_t>(q)], d.views[v].view,
                                       column_name(d, top), number(values(i)),
                                       number(own.mean(i, top.column))};
        if (intervals)
          for (const Matrix* edge : {&own.low, &own.high}) cells.push_back(number((*edge)(i, top.column)));
        add_row(out, cells);
      }
    }
  }
  return out;
}

/// "rna/g7 (+) and rna/g2 (-)"; no sign where a label of several classes has no direction.
std::string top_line(const Dimensions& d, Index q) {
  std::vector<std::string> words;
  for (const TopColumn& top : top_columns(d.relevance, d.loadings, q, top_on_screen)) {
    std::string name = printable(column_name(d, top), 24);
    if (d.views.size() > 1)
      name = printable(d.views[static_cast<std::size_t>(top.view)].view, 16) + "/" + name;
    words.push_back(std::isnan(top.loading) ? name
                                            : fmt::format("{} ({})", name, top.loading < 0 ? "-" : "+"));
  }
  return words.empty() ? "" : join_list(words);
}

/// What a negative share means.
std::string overfitted_line(const std::vector<ViewScores>& scores) {
  std::vector<std::string> views;
  for (const ViewScores& s : scores)
    if (s.r2 < 0) views.push_back(printable(s.view, 30));
  if (views.empty()) return "";
  return "  " +
         wrap(fmt::format("below zero: column means predict held-out entries of {} better than the model; "
                          "its shares in training are overfitted",
                          join_list(views)),
              98, 4);
}

}  // namespace

Dimensions dimensions_of(const GplvmFit& fit, const Dataset& seen, const Threads& threads) {
  Dimensions out{{}, relevance(fit, seen, threads), loadings(fit, seen, threads)};
  for (const GplvmView& view : fit.views) out.views.push_back({view.name, view.columns});
  return out;
}

Dimensions dimensions_of(const BayesFit& fit, const Dataset& seen, const Threads& threads) {
  Dimensions out{{}, relevance(fit, seen, threads)};
  for (BayesLoadings& own : loadings(fit, seen, threads)) {
    out.loadings.push_back(std::move(own.mean));
    out.loadings_sd.push_back(std::move(own.sd));
  }
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

Json explained_heldout_json(const Dimensions& d, const std::vector<ViewScores>& scores) {
  Json out = Json::object();
  for (const Dimensions::Of& view : d.views) out[view.view] = nullptr;
  for (const ViewScores& s : scores)
    if (!std::isnan(s.r2)) out[s.view] = s.r2;
  return out;
}

std::string dimensions_text(const Dimensions& d, const std::vector<ViewScores>& scores) {
  const Index shown = std::min(d.dims(), most_dimensions_on_screen);
  const std::vector<std::string> names = latent_columns(d.dims()), role = roles(d);
  std::vector<std::vector<std::string>> rows{{"variance explained (training)"}};
  for (Index q = 0; q < shown; ++q) rows.front().push_back(names[static_cast<std::size_t>(q)]);
  rows.front().push_back("all");
  const bool judged =
      std::any_of(scores.begin(), scores.end(), [](const ViewScores& s) { return !std::isnan(s.r2); });
  if (judged) rows.front().push_back("held out");
  for (std::size_t v = 0; v < d.views.size(); ++v) {
    std::vector<std::string> row{"  " + printable(d.views[v].view, 30) +
                                 (d.views[v].functions ? ", of f" : "")};
    for (Index q = 0; q < shown; ++q) row.push_back(percent(d.relevance.by_view(Index(v), q)));
    row.push_back(percent(d.relevance.explained(Index(v))));
    if (judged) row.push_back(std::isnan(scores[v].r2) ? "" : percent(scores[v].r2));
    rows.push_back(row);
  }
  if (d.views.size() > 1 || std::count(role.begin(), role.end(), "unused") > 0) {
    rows.push_back({"  dimension is"});
    for (Index q = 0; q < shown; ++q) rows.back().push_back(role[static_cast<std::size_t>(q)]);
    rows.back().resize(rows.front().size());
  }
  std::string out = align(rows, false) + overfitted_line(scores);
  if (shown < d.dims())
    out += fmt::format("  {} more in relevance.csv\n", counted(d.dims() - shown, "dimension"));
  for (Index q = 0; q < shown; ++q)
    if (const std::string top = top_line(d, q); !top.empty())
      out += "  " + wrap(fmt::format("{}: {}", names[static_cast<std::size_t>(q)], top), 98, 6);
  return out + "\n";
}

void write_dimensions(const Dimensions& d, const RunFolder& run, const TextTable& responses) {
  write_csv(run.path("relevance.csv"), by_view(d), "dimension");
  write_csv(run.path("relevance_columns.csv"), by_column(d, d.relevance.by_column), "column");
  write_csv(run.path("loadings.csv"), by_column(d, d.loadings), "column");
  if (!d.loadings_sd.empty()) write_csv(run.path("loadings_sd.csv"), by_column(d, d.loadings_sd), "column");
  write_csv(run.path("top_columns.csv"), top_table(d), "n");
  write_csv(run.path("responses.csv"), responses, "n");
}

TextTable response_table(const Dimensions& d, const GplvmFit& fit, const Threads& threads) {
  return response_table(d, fit.latent.mean, false, [&](std::size_t v, Index q, const Vector& values) {
    return Curves{response(fit, fit.views[v], q, values, threads), {}, {}};
  });
}

TextTable response_table(const Dimensions& d, const BayesFit& fit, const Threads& threads) {
  constexpr double interval = 0.9;
  return response_table(d, fit.latent.mean, true, [&](std::size_t v, Index q, const Vector& values) {
    BayesResponse own = response(fit, fit.views[v], q, values, interval, threads);
    return Curves{std::move(own.mean), std::move(own.low), std::move(own.high)};
  });
}

}  // namespace bochner::cli
