#include "samples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>

#include "bochner/core/parse_number.hpp"
#include "encode.hpp"
#include "panel.hpp"

namespace bochner::detail {

namespace {

constexpr std::size_t most_classes = 1000;      // more are ids, not classes
constexpr Index most_column_bytes = 6'000'000;  // of the values that samples can be coloured by
constexpr Index most_entries = 60'000'000;      // of a table that a report reads

/// Rows of `values` in the order of `ids`; rows that are not there are NaN.
Matrix in_order(const std::vector<std::string>& ids, const Table& table) {
  if (table.ids == ids) return table.values;
  std::unordered_map<std::string, Index> at;
  for (std::size_t n = 0; n < table.ids.size(); ++n) at.emplace(table.ids[n], Index(n));
  Matrix out = Matrix::Constant(Index(ids.size()), table.cols(), std::nan(""));
  for (std::size_t n = 0; n < ids.size(); ++n)
    if (const auto found = at.find(ids[n]); found != at.end())
      out.row(Index(n)) = table.values.row(found->second);
  return out;
}

std::vector<FilledView> read_views(RunFiles& run, const std::vector<std::string>& ids) {
  std::vector<FilledView> out;
  for (const std::string& view : view_names(run)) {
    const std::string file = "imputed/" + view;
    if (!run.has(file + ".csv") || !run.has(file + "_lo.csv")) continue;  // labels have no intervals
    std::optional<Table> filled = run.table(file + ".csv");
    if (!filled) continue;
    if (filled->values.size() > most_entries) {
      run.note(
          fmt::format("{}.csv is too large for a report: its columns cannot be chosen as colours", file));
      continue;
    }
    const std::optional<Table> low = run.table(file + "_lo.csv");
    if (!low || low->columns != filled->columns) continue;
    FilledView own{view, filled->columns, in_order(ids, *filled), {}};
    // What was measured is its own interval.
    own.measured = own.values.array() == in_order(ids, *low).array();
    out.push_back(std::move(own));
  }
  if (!out.empty()) return out;
  // Kernel PCA leaves some columns as they were measured, `apply` all of them as they are predicted.
  for (const std::string& view : view_names(run))
    for (const char* folder : {"columns/", "predicted/"})
      if (const std::optional<Table> table = run.table(folder + view + ".csv");
          table && table->values.size() <= most_entries && (out.empty() || out.back().name != view)) {
        FilledView own{view, table->columns, in_order(ids, *table), {}, false};
        own.measured = !own.values.array().isNaN();
        out.push_back(std::move(own));
      }
  return out;
}

/// The classes of --labels, which are a view of zeros and ones, as one field; "none" where a sample has no label.
Json label_field(const RunFiles& run, const FilledView& view) {
  std::vector<std::string> cells;
  for (Index n = 0; n < view.values.rows(); ++n) {
    Index best = 0;
    const bool known = view.measured.row(n).any();
    if (known) view.values.row(n).maxCoeff(&best);
    cells.push_back(known ? view.columns[static_cast<std::size_t>(best)] : "");
  }
  const std::string spec = run.setting("labels");
  const std::size_t colon = spec.rfind(':');
  return field_of(colon == std::string::npos ? "labels" : spec.substr(colon + 1), "labels", cells, true);
}

bool are_labels(const RunFiles& run, const std::string& view) {
  return view == "labels" && !run.setting("labels").empty();
}

/// Columns of all views, those that depend most on the latents first.
std::vector<std::pair<std::size_t, Index>> columns_by_relevance(RunFiles& run,
                                                                const std::vector<FilledView>& views) {
  std::map<std::string, double> relevance;
  if (const std::optional<Table> table = run.table("relevance_columns.csv", "column"))
    for (Index i = 0; i < table->rows(); ++i)
      relevance[table->ids[static_cast<std::size_t>(i)]] =
          table->values.row(i).array().isNaN().select(0.0, table->values.row(i).array()).maxCoeff();
  std::vector<std::pair<double, std::pair<std::size_t, Index>>> all;
  for (std::size_t v = 0; v < views.size(); ++v)
    for (std::size_t m = 0; m < views[v].columns.size() && !are_labels(run, views[v].name); ++m) {
      const auto found = relevance.find(views[v].name + "/" + views[v].columns[m]);
      all.push_back({found == relevance.end() ? 0.0 : found->second, {v, Index(m)}});
    }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::pair<std::size_t, Index>> out;
  for (const auto& [weight, at] : all) out.push_back(at);
  return out;
}

void add_columns(RunFiles& run, RunSamples& samples) {
  const Index N = Index(samples.ids.size());
  const Index bytes = std::min(most_column_bytes, 500'000 + 55 * N);
  const std::vector<std::pair<std::size_t, Index>> order = columns_by_relevance(run, samples.views);
  const Index kept = std::min(Index(order.size()), std::max<Index>(1, bytes / std::max<Index>(1, 2 * N)));
  for (Index k = 0; k < kept; ++k) {
    const auto& [v, m] = order[static_cast<std::size_t>(k)];
    const FilledView& view = samples.views[v];
    samples.fields.push_back({{"name", shortened(view.columns[static_cast<std::size_t>(m)])},
                              {"group", shortened(view.name)},
                              {"column", true},
                              {"kind", "number"},
                              {"values", as_steps(view.values.col(m))}});
  }
  if (kept < Index(order.size()))
    run.note(fmt::format("colours and comparisons use the {} of {} columns that depend most on the latents",
                         with_commas(kept), with_commas(Index(order.size()))));
}

}  // namespace

std::optional<Table> relevance_of_dimensions(RunFiles& run) {
  if (run.command() == "regress" || run.command() == "classify") return std::nullopt;
  return run.table("relevance.csv", "dimension");
}

std::vector<std::string> view_names(RunFiles& run) {
  if (std::optional<Table> table = relevance_of_dimensions(run)) return table->columns;
  std::vector<std::string> out;
  if (run.command() == "apply" || run.command() == "kpca")
    return run.files_in(run.command() == "apply" ? "predicted" : "columns");
  for (const char* key : {"explained", "heldout", "noise", "crossview"})
    if (const Json& by_view = member(run.metrics(), key); by_view.is_object() && out.empty())
      for (const auto& [name, value] : by_view.items()) out.push_back(name);
  return out;
}

Json field_of(const std::string& name, const std::string& group, const std::vector<std::string>& cells,
              bool classes) {
  Vector numbers(Index(cells.size()));
  bool numeric = !classes, any = false;
  for (std::size_t n = 0; n < cells.size(); ++n) {
    const std::optional<double> value = cells[n].empty() ? std::nan("") : parse_number(cells[n]);
    numeric = numeric && value.has_value();
    any = any || !cells[n].empty();
    numbers(Index(n)) = value.value_or(std::nan(""));
  }
  if (!any) return nullptr;
  Json out{{"name", shortened(name)}, {"group", shortened(group)}};
  if (numeric) {
    out["kind"] = "number";
    out["values"] = as_steps(numbers);
    return out;
  }
  std::map<std::string, Index> counts;
  for (const std::string& cell : cells)
    if (!cell.empty()) ++counts[cell];
  if (counts.size() > most_classes || (cells.size() > 20 && counts.size() > cells.size() / 2)) return nullptr;
  std::vector<std::string> names;
  for (const auto& [label, count] : counts) names.push_back(label);
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return counts[a] > counts[b]; });
  std::map<std::string, int> code;
  for (std::size_t k = 0; k < names.size(); ++k) code[names[k]] = int(k);
  std::vector<int> codes;
  for (const std::string& cell : cells) codes.push_back(cell.empty() ? -1 : code[cell]);
  for (std::string& label : names) label = shortened(label);
  out["kind"] = "class";
  out["classes"] = names;
  out["values"] = as_codes(codes);
  return out;
}

RunSamples read_samples(RunFiles& run) {
  RunSamples out;
  const std::optional<Table> latent = run.table("latent.csv");
  if (!latent) return out;
  out.ids = latent->ids;
  out.dims = latent->columns;
  out.mean = latent->values;
  if (const std::optional<Table> sd = run.table("latent_sd.csv"); sd && sd->cols() == latent->cols())
    out.sd = in_order(out.ids, *sd);
  if (const std::optional<TextTable> meta = run.text("meta.csv", ""); meta && meta->ids == out.ids)
    for (std::size_t m = 0; m < meta->columns.size(); ++m)
      if (Json field = field_of(meta->columns[m], "meta", meta->cells[m]); !field.is_null())
        out.fields.push_back(std::move(field));
  out.views = read_views(run, out.ids);
  for (const FilledView& view : out.views)
    if (are_labels(run, view.name))
      if (Json field = label_field(run, view); !field.is_null()) out.fields.push_back(std::move(field));
  add_columns(run, out);
  return out;
}

}  // namespace bochner::detail
