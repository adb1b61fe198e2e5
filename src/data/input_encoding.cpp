#include "bochner/data/input_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "bochner/core/counted.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_date.hpp"
#include "bochner/data/labels.hpp"
#include "src/data/cell_kind.hpp"
#include "src/tables/cell.hpp"

namespace bochner {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_levels = 100;
constexpr std::size_t few_levels = 20;  // that may all be different in a small table

std::string where(const RawTable& table, Index row, const std::string& column) {
  const std::string at = table.ids.empty()
                             ? fmt::format("row {}", row + 1)
                             : fmt::format("sample {}", quote(table.ids[static_cast<std::size_t>(row)]));
  return fmt::format("{}, {}, column {}", printable(table.name), at, quote(column));
}

bool is_asked(const EncodingOptions& options, const RawColumn& column) {
  const auto& told = options.categorical;
  return std::find(told.begin(), told.end(), column.name) != told.end();
}

/// Text is a category if none of its cells is a number or a date, in any notation; limits beside words are words (<18, 18-25).
InputKind kind_of(const RawColumn& column, const EncodingOptions& options) {
  using detail::CellKind;
  if (is_asked(options, column)) return InputKind::category;
  if (!column.text()) return InputKind::number;
  std::set<CellKind> kinds;
  for (const std::string& cell : column.cells) kinds.insert(detail::cell_kind(detail::trimmed(cell)));
  if (kinds.contains(CellKind::number)) return InputKind::number;
  if (kinds.contains(CellKind::date)) return InputKind::date;
  return kinds.contains(CellKind::word) && !kinds.contains(CellKind::another) ? InputKind::category
                                                                              : InputKind::number;
}

/// Why a cell is neither a number nor a date that can be read.
std::string explain(std::string_view cell, InputKind kind) {
  if (kind == InputKind::date || detail::is_other_date(cell))
    return quote(cell) + " is not a date such as 2020-12-31 or 2020-12-31 23:59";
  return detail::explain_cell(cell, '.');
}

/// A column of numbers or dates; `remedy` ends the message about a cell that is neither.
Vector values_of(const RawTable& table, const RawColumn& column, InputKind kind, const std::string& remedy) {
  if (!column.text()) {
    if (kind == InputKind::date)
      throw InputError(fmt::format("{}: column {} holds numbers, but the model has learned dates there",
                                   printable(table.name), quote(column.name)));
    return column.numbers;
  }
  Vector out(column.rows());
  for (Index n = 0; n < out.size(); ++n) {
    const std::string_view cell = detail::trimmed(column.cells[static_cast<std::size_t>(n)]);
    if (kind == InputKind::date) {
      const auto day = parse_date(cell);
      if (day || detail::is_missing(cell)) {
        out(n) = day.value_or(nan);
        continue;
      }
    } else if (detail::parse_cell(cell, '.', out(n))) {
      continue;
    }
    throw InputError(fmt::format("{}: {}{}", where(table, n, column.name), explain(cell, kind), remedy));
  }
  return out;
}

/// Texts of levels, "" where there is none.
std::vector<std::string> levels_of(const RawColumn& column) {
  std::vector<std::string> out;
  if (column.text()) {
    for (const std::string& cell : column.cells) {
      const std::string_view text = detail::trimmed(cell);
      out.emplace_back(is_label(text) ? text : std::string_view());
    }
    return out;
  }
  for (Index n = 0; n < column.rows(); ++n) out.push_back(label_text(column.numbers(n)));
  return out;
}

/// The most frequent levels, in the order of all.
std::vector<std::string> frequent(const Labels& labels) {
  if (labels.names.size() <= most_levels) return labels.names;
  std::vector<Index> count(labels.names.size(), 0), order(labels.names.size());
  for (const Index code : labels.code)
    if (code >= 0) ++count[static_cast<std::size_t>(code)];
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return count[static_cast<std::size_t>(a)] > count[static_cast<std::size_t>(b)];
  });
  order.resize(most_levels);
  std::sort(order.begin(), order.end());
  std::vector<std::string> out;
  for (const Index i : order) out.push_back(labels.names[static_cast<std::size_t>(i)]);
  return out;
}

/// Text that hardly repeats.
struct NameColumn {
  std::string column, example;
  std::size_t distinct = 0, known = 0;  // levels, and rows that have one
};

[[noreturn]] void refuse_names(const RawTable& table, const std::vector<NameColumn>& found,
                               const EncodingOptions& options) {
  std::vector<std::string> columns, texts;
  bool unique = false;
  for (const NameColumn& c : found) {
    columns.push_back(c.column);
    texts.push_back(fmt::format("{} ({} in {}, such as {})", quote(c.column), c.distinct,
                                counted(static_cast<long long>(c.known), "row"), quote(c.example)));
    unique = unique || (c.distinct == c.known && Index(c.known) == table.columns.front().rows());
  }
  const std::string remedy = options.remedy ? "; " + options.remedy(columns, unique) : "";
  const NameColumn& first = found.front();
  throw InputError(
      found.size() == 1
          ? fmt::format("{}, column {}: {} distinct texts in {}, such as {}, look like names of rows{}",
                        printable(table.name), quote(first.column), first.distinct,
                        counted(static_cast<long long>(first.known), "row"), quote(first.example), remedy)
          : fmt::format("{}: the distinct texts of {} columns look like names of rows: {}{}",
                        printable(table.name), found.size(), fmt::join(texts, ", "), remedy));
}

InputColumn learn_category(const RawColumn& column, bool asked, std::vector<NameColumn>& names) {
  const Labels labels = encode_labels(levels_of(column));
  const auto known = static_cast<std::size_t>((labels.code.array() >= 0).count());
  if (!asked && labels.names.size() > few_levels && 2 * labels.names.size() > known)
    names.push_back({column.name, labels.names.front(), labels.names.size(), known});
  return {.name = column.name,
          .kind = InputKind::category,
          .levels = frequent(labels),
          .missing = known < static_cast<std::size_t>(labels.code.size()),
          .fill = 0};
}

/// Every row has a text of its own.
bool names_rows(const RawColumn& column) {
  std::set<std::string> seen;
  return std::all_of(column.cells.begin(), column.cells.end(), [&](const std::string& cell) {
    return !detail::is_missing(detail::trimmed(cell)) && seen.insert(cell).second;
  });
}

InputColumn learn_numbers(const RawColumn& column, InputKind kind, const Vector& values) {
  const auto here = values.array().isFinite();
  const auto known = here.count();
  return {.name = column.name,
          .kind = kind,
          .levels = {},
          .missing = known < values.size(),
          .fill = known < values.size() ? here.select(values.array(), 0).sum() / double(known) : 0};
}

/// Into the columns `out` of one number or date.
void put_numbers(const InputColumn& c, const Vector& values, Matrix& out, Index first) {
  out.col(first) = values;
  if (!c.missing) return;
  for (Index n = 0; n < values.size(); ++n) {
    out(n, first + 1) = std::isnan(values(n)) ? 1 : 0;
    if (std::isnan(values(n))) out(n, first) = c.fill;
  }
}

void put_levels(const InputColumn& c, const RawColumn& column, Matrix& out, Index first,
                std::vector<std::string>& notes) {
  const Labels labels = encode_labels(levels_of(column), c.levels);
  const auto K = static_cast<Index>(c.levels.size());
  Index unknown = 0;
  std::string example;
  for (Index n = 0; n < labels.code.size(); ++n) {
    const Index code = labels.code(n);
    out.row(n).segment(first, c.width()).setZero();
    if (code >= 0)
      out(n, first + code) = 1;
    else if (code == Labels::missing && c.missing)
      out(n, first + K) = 1;
    else if (++unknown == 1)
      example = code == Labels::missing ? "missing" : quote(levels_of(column)[static_cast<std::size_t>(n)]);
  }
  if (unknown > 0)
    notes.push_back(
        fmt::format("column {}: {} of no level that the model knows ({}): none of the levels in the encoding",
                    quote(c.name), unknown == 1 ? "1 row is" : fmt::format("{} rows are", unknown), example));
}

}  // namespace

bool InputEncoding::plain() const {
  return std::all_of(columns.begin(), columns.end(),
                     [](const InputColumn& c) { return c.kind == InputKind::number && !c.missing; });
}

Index InputEncoding::width() const { return first(columns.size()); }

Index InputEncoding::first(std::size_t column) const {
  Index out = 0;
  for (std::size_t c = 0; c < column; ++c) out += columns[c].width();
  return out;
}

std::vector<std::string> InputEncoding::names() const {
  std::vector<std::string> out;
  for (const InputColumn& c : columns) {
    if (c.kind != InputKind::category) out.push_back(c.name);
    for (const std::string& level : c.levels) out.push_back(c.name + "=" + level);
    if (c.missing) out.push_back(c.name + " missing");
  }
  return out;
}

InputEncoding learn_encoding(const RawTable& table, const EncodingOptions& options) {
  for (const std::string& name : options.categorical)
    if (std::none_of(table.columns.begin(), table.columns.end(),
                     [&](const RawColumn& c) { return c.name == name; })) {
      std::vector<std::string> names;
      for (const RawColumn& c : table.columns) names.push_back(c.name);
      const std::string hint = did_you_mean(name, names);
      throw InputError(fmt::format("{}: the inputs have no column {}{}", printable(table.name), quote(name),
                                   hint.empty() ? "; they have " + listing(names) : hint));
    }
  InputEncoding out;
  std::vector<NameColumn> names;
  for (const RawColumn& column : table.columns) {
    const InputKind kind = kind_of(column, options);
    const std::string remedy =
        options.remedy && column.text() && kind != InputKind::category
            ? "; or, if these are levels, " + options.remedy({column.name}, names_rows(column))
            : "";
    InputColumn learned = kind == InputKind::category
                              ? learn_category(column, is_asked(options, column), names)
                              : learn_numbers(column, kind, values_of(table, column, kind, remedy));
    const bool empty = kind == InputKind::category ? learned.levels.empty() : std::isnan(learned.fill);
    if (empty)
      throw InputError(fmt::format("{}, column {}: no row has a value; leave the column out",
                                   printable(table.name), quote(column.name)));
    out.columns.push_back(std::move(learned));
  }
  if (!names.empty()) refuse_names(table, names, options);
  return out;
}

std::string encoding_text(const InputEncoding& encoding) {
  std::vector<std::string> dates, categories, missing;
  for (const InputColumn& c : encoding.columns) {
    if (c.kind == InputKind::date) dates.push_back(quote(c.name));
    if (c.kind == InputKind::category)
      categories.push_back(fmt::format("{} ({})", quote(c.name), counted(Index(c.levels.size()), "level")));
    if (c.missing) missing.push_back(quote(c.name));
  }
  constexpr std::size_t most = 8;
  const auto list = [&](std::vector<std::string> items) {
    const std::size_t more = items.size() > most ? items.size() - most : 0;
    items.resize(std::min(most, items.size()));
    return fmt::format("{}{}", fmt::join(items, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
  };
  std::vector<std::string> parts;
  if (!categories.empty()) parts.push_back("categories: " + list(categories));
  if (!dates.empty()) parts.push_back("dates, as days since 1970-01-01: " + list(dates));
  if (!missing.empty())
    parts.push_back("missing values, which have an indicator column of their own: " + list(missing));
  return fmt::format("{}", fmt::join(parts, "; "));
}

Matrix encode(const InputEncoding& encoding, const RawTable& table, std::vector<std::string>& notes) {
  const Index N = table.columns.empty() ? 0 : table.columns.front().rows();
  Matrix out(N, encoding.width());
  for (std::size_t c = 0; c < encoding.columns.size(); ++c) {
    const InputColumn& column = encoding.columns[c];
    if (column.kind == InputKind::category)
      put_levels(column, table.columns[c], out, encoding.first(c), notes);
    else
      put_numbers(column, values_of(table, table.columns[c], column.kind, ""), out, encoding.first(c));
  }
  return out;
}

Matrix encode_numbers(const InputEncoding& encoding, MatrixIn X) {
  std::vector<std::string> names, notes;
  for (const InputColumn& c : encoding.columns) names.push_back(c.name);
  return encode(encoding, raw_table("the inputs", X, names), notes);
}

RawTable raw_table(const std::string& name, MatrixIn X, const std::vector<std::string>& columns) {
  RawTable out{.name = name, .columns = {}, .ids = {}};
  for (Index c = 0; c < X.cols(); ++c)
    out.columns.push_back({.name = columns[static_cast<std::size_t>(c)], .cells = {}, .numbers = X.col(c)});
  return out;
}

}  // namespace bochner
