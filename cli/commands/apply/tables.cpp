#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <set>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "bochner/data/labels.hpp"
#include "cli/commands/fit/mcmc/tables.hpp"
#include "cli/inputs/label_column.hpp"
#include "cli/inputs/row_table.hpp"
#include "cli/inputs/view_tables.hpp"

namespace bochner::cli {

namespace {

using Model = std::vector<ModelView>;

std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> names;
  for (const ModelView& view : model) names.push_back(view.name);
  return names;
}

/// A view that is known to be there.
const ModelView& view_of(const Model& model, const std::string& name) {
  return *std::find_if(model.begin(), model.end(), [&](const ModelView& v) { return v.name == name; });
}

const std::vector<std::string>& columns_of(const Model& model, const std::string& name) {
  return view_of(model, name).columns;
}

/// Labels as the numbers that the model has for them; columns that it does not know are left out.
Table read_known_labels(const ViewSpec& spec, const ModelView& view) {
  TextTable text = read_labels_table(spec.table);
  TextTable known{
      .name = text.name, .ids = text.ids, .columns = {}, .cells = {}, .ids_generated = text.ids_generated};
  std::vector<std::vector<std::string>> classes;
  for (std::size_t m = 0; m < text.columns.size(); ++m) {
    const auto at = std::find(view.columns.begin(), view.columns.end(), text.columns[m]);
    if (at == view.columns.end()) continue;
    known.columns.push_back(text.columns[m]);
    known.cells.push_back(std::move(text.cells[m]));
    classes.push_back(view.classes[static_cast<std::size_t>(at - view.columns.begin())]);
  }
  if (known.columns.empty())
    throw InputError(fmt::format("{} has none of the columns of view {} of the model, {}",
                                 printable(spec.table), quote(spec.name), listing(view.columns)));
  return labels_as_numbers(known, classes);
}

/// The label of each sample as columns of zeros and ones, empty where it is not known; or these columns, as they are.
Table read_indicators(const ViewSpec& spec, const ModelView& view) {
  std::optional<LabelColumn> labels;
  try {
    labels = read_labels(spec.table);
  } catch (const InputError&) {
    return read_view_tables({spec}, Likelihoods::columns).front().table;
  }
  const Labels codes = encode_labels(labels->labels, view.columns);
  Table out{.ids = labels->ids,
            .columns = view.columns,
            .values = Matrix::Zero(codes.code.size(), static_cast<Index>(view.columns.size())),
            .ids_generated = labels->ids_generated};
  for (Index n = 0; n < codes.code.size(); ++n) {
    if (codes.code(n) == Labels::unknown)
      throw InputError(fmt::format("{}, sample {}: the model has no class {}; its classes are {}",
                                   labels->table, quote(out.ids[static_cast<std::size_t>(n)]),
                                   quote(labels->labels[static_cast<std::size_t>(n)]),
                                   listing(view.columns)));
    if (codes.code(n) == Labels::missing)
      out.values.row(n).setConstant(std::numeric_limits<double>::quiet_NaN());
    else
      out.values(n, codes.code(n)) = 1;
  }
  return out;
}

/// Words in columns that the model does not know are ignored like the numbers of others.
ViewTable read_measurements(const ViewSpec& spec, const ModelView& view) {
  std::vector<std::string> ignored;
  return read_view_tables_without_words({spec}, Likelihoods::columns, view.columns, ignored).front();
}

std::vector<ViewTable> read_tables(const std::vector<ViewSpec>& specs, const Model& model) {
  std::vector<ViewTable> out;
  for (const ViewSpec& spec : specs) {
    const ModelView& view = view_of(model, spec.name);
    if (view.indicators)
      out.push_back({spec, read_indicators(spec, view)});
    else if (view.classes.empty())
      out.push_back(read_measurements(spec, view));
    else
      out.push_back({spec, read_known_labels(spec, view)});
  }
  return out;
}

/// The only view of which the table has most columns, by their names; empty if there is none, or no table.
std::string view_of_columns(const std::string& table, const Model& model) {
  std::set<std::string> has;
  try {
    const TextTable text = read_text_table(table);
    has.insert(text.columns.begin(), text.columns.end());
  } catch (
      const InputError&) {  // an array, which has no names; or a file that is not there, which is said later
    return {};
  }
  std::vector<std::string> found;
  for (const ModelView& view : model) {
    const auto own = std::count_if(view.columns.begin(), view.columns.end(),
                                   [&](const std::string& column) { return has.contains(column); });
    if (2 * own > std::ssize(view.columns)) found.push_back(view.name);
  }
  return found.size() == 1 ? found.front() : "";
}

ViewSpec known_view(ViewSpec spec, const Model& model, bool alone, std::vector<std::string>& notes) {
  const std::vector<std::string> names = names_of(model);
  if (std::find(names.begin(), names.end(), spec.name) != names.end()) return spec;
  if (!spec.named && alone && names.size() == 1) {
    spec.name = names.front();
    return spec;
  }
  if (const std::string view = spec.named ? "" : view_of_columns(spec.table, model); !view.empty()) {
    notes.push_back(
        fmt::format("{} has columns of view {}, and is read as such", printable(spec.table), quote(view)));
    spec.name = view;
    return spec;
  }
  throw InputError(fmt::format("view {} is unknown to the model; its views are {}; use NAME={}",
                               quote(spec.name), listing(names), printable(spec.table)));
}

/// Where the columns of the model are in a table of `width` columns without names. They are the whole table, or those of it
/// that --most-variable kept: make_view has numbered them then. The first K columns may be all that the table of the fit
/// had, so that one with more is another table. InputError if they are neither.
std::vector<Index> places_of(const ViewSpec& spec, Index width, const std::vector<std::string>& columns) {
  std::vector<Index> first(columns.size()), out;
  std::iota(first.begin(), first.end(), Index{0});
  if (static_cast<std::size_t>(width) == columns.size()) return first;
  const std::string before = spec.name + "_";
  for (const std::string& column : columns) {
    const std::optional<double> number =
        column.starts_with(before) ? parse_number(column.substr(before.size())) : std::nullopt;
    const Index place = number && *number >= 0 && *number < double(width) ? static_cast<Index>(*number) : 0;
    if (column == before + std::to_string(place)) out.push_back(place);
  }
  if (out.size() < columns.size() || out == first)
    throw InputError(fmt::format("{} has {} without names, but view {} of the model has {}; name the columns",
                                 printable(spec.table), counted(width, "column"), quote(spec.name),
                                 columns.size()));
  return out;
}

/// The tables as they are, if they can all be read in step.
std::vector<AnyRows> open_in_step(const std::vector<ViewSpec>& specs) {
  std::vector<AnyRows> out;
  for (const ViewSpec& spec : specs) {
    if (!is_array(spec.table)) return {};
    out.push_back(open_rows(spec.table));
    if (has_names(out.back()) || bochner::rows(out.back()) != bochner::rows(out.front())) return {};
  }
  return out;
}

/// The columns of the model in its order. Those that the table lacks were not measured; a table that has none of them is
/// another table.
View known_columns(View view, const std::vector<std::string>& columns, std::vector<std::string>& notes) {
  const std::set<std::string> has(view.columns.begin(), view.columns.end());
  std::vector<std::string> absent;
  for (const std::string& column : columns)
    if (!has.contains(column)) absent.push_back(column);
  if (absent.size() == columns.size()) {
    const std::string meant = nearest_name(columns.front(), view.columns);
    throw InputError(
        fmt::format("view {} has none of the {} columns of the model, {} first{}", quote(view.name),
                    columns.size(), quote(columns.front()),
                    meant.empty() ? "" : "; is " + quote(meant) + " meant? Names must be the same"));
  }
  const std::set<std::string> known(columns.begin(), columns.end());
  std::vector<std::string> unknown;
  for (const std::string& column : view.columns)
    if (!known.contains(column)) unknown.push_back(column);
  if (!unknown.empty())
    notes.push_back(fmt::format("view {} has {} that the model does not have, {} first: ignored",
                                quote(view.name), counted(std::ssize(unknown), "column"),
                                quote(unknown.front())));
  if (!absent.empty()) {
    const Index M = view.cols();
    view.Y.conservativeResize(Eigen::NoChange, M + static_cast<Index>(absent.size()));
    view.Y.rightCols(static_cast<Index>(absent.size())).setConstant(std::numeric_limits<double>::quiet_NaN());
    view.columns.insert(view.columns.end(), absent.begin(), absent.end());
    notes.push_back(
        fmt::format("view {} lacks {} of the {} columns of the model, {} first: treated as missing",
                    quote(view.name), absent.size(), columns.size(), quote(absent.front())));
  }
  return select_columns(std::move(view), columns);
}

Dataset read_whole(const std::vector<ViewSpec>& specs, const Model& model, std::vector<std::string>& notes) {
  std::vector<ViewTable> tables = read_tables(specs, model);
  share_ids(tables, notes);
  for (ViewTable& t : tables) {
    if (!t.table.columns_generated) continue;
    // Files without column names bring them in the order of the fitted table.
    const std::vector<std::string>& columns = columns_of(model, t.spec.name);
    const std::vector<Index> places = places_of(t.spec, t.table.cols(), columns);
    if (static_cast<Index>(places.size()) != t.table.cols())
      t.table.values = Matrix(t.table.values(Eigen::all, places));
    t.table.columns = columns;
    t.table.columns_generated = false;
  }
  std::vector<View> views = as_views(std::move(tables));
  for (View& view : views) {
    const std::vector<std::string>& columns = columns_of(model, view.name);
    view = known_columns(std::move(view), columns, notes);
  }
  return join(std::move(views), {.allow_disjoint = true});
}

std::vector<std::string> numbers(Index begin, Index end) {
  std::vector<std::string> out;
  for (Index n = begin; n < end; ++n) out.push_back(std::to_string(n));
  return out;
}

}  // namespace

NewSamples::NewSamples(const std::vector<std::string>& views, const std::vector<ModelView>& model,
                       std::vector<std::string>& notes) {
  std::vector<ViewSpec> specs;
  const std::vector<std::string> names = names_of(model);
  for (const std::string& word : views)
    specs.push_back(known_view(split_view(word, names), model, views.size() == 1, notes));
  check_view_names(specs);
  const bool labels = std::any_of(specs.begin(), specs.end(), [&](const ViewSpec& s) {
    const ModelView& view = view_of(model, s.name);
    return view.indicators || !view.classes.empty();
  });
  std::vector<AnyRows> open;
  if (!labels) open = open_in_step(specs);
  if (open.empty()) {
    source_ = std::vector<Dataset>{read_whole(specs, model, notes)};
    return;
  }
  std::vector<Stream> streams;
  for (std::size_t v = 0; v < specs.size(); ++v) {
    const std::vector<std::string>& columns = columns_of(model, specs[v].name);
    std::vector<Index> places = places_of(specs[v], cols(open[v]), columns);
    streams.push_back({specs[v].name, columns, std::move(places), std::move(open[v])});
  }
  source_ = std::move(streams);
}

Index NewSamples::rows() const {
  if (const auto* whole = std::get_if<std::vector<Dataset>>(&source_)) return whole->front().rows();
  return bochner::rows(std::get<std::vector<Stream>>(source_).front().rows);
}

Dataset NewSamples::block(Index begin, Index end) const {
  if (const auto* whole = std::get_if<std::vector<Dataset>>(&source_))
    return whole->front().take_rows(IndexVector::LinSpaced(end - begin, begin, end - 1));
  std::vector<View> views;
  for (const Stream& stream : std::get<std::vector<Stream>>(source_)) {
    Matrix Y(end - begin, cols(stream.rows));
    read_rows(stream.rows, begin, Y);
    if (Y.cols() != static_cast<Index>(stream.places.size())) Y = Matrix(Y(Eigen::all, stream.places));
    views.push_back({stream.name, numbers(begin, end), stream.columns, std::move(Y)});
  }
  return join(std::move(views));
}

}  // namespace bochner::cli
