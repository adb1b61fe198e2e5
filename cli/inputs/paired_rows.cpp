#include "paired_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "label_column.hpp"
#include "match_rows.hpp"

namespace bochner::cli {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t most_classes = 1000;
constexpr Index block_rows = 1 << 16;

std::optional<double> number(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

[[noreturn]] void refuse_classes(const std::string& table, std::size_t classes, Index rows) {
  throw InputError(fmt::format(
      "{}: {} distinct values in {} are too many for classes; use 'bochner regress' to predict numbers",
      printable(table),
      classes > most_classes ? fmt::format("more than {}", most_classes) : fmt::format("{}", classes),
      counted(rows, "row")));
}

void check_classes(const std::string& table, std::size_t classes, Index labelled) {
  if (classes < 2)
    throw InputError(fmt::format("{}: at least two classes are required, found {}", printable(table),
                                 classes == 0 ? "none" : "one"));
  if (classes > most_classes || 2 * static_cast<Index>(classes) > labelled)
    refuse_classes(table, classes, labelled);
}

/// Which of `classes` it is, also when one is written 1 and the other 1.0; -1 if none.
Index find_class(const std::string& label, const std::vector<std::string>& classes) {
  const auto same = std::find(classes.begin(), classes.end(), label);
  if (same != classes.end()) return same - classes.begin();
  if (const std::optional<double> value = number(label))
    for (std::size_t k = 0; k < classes.size(); ++k)
      if (number(classes[k]) == value) return static_cast<Index>(k);
  return -1;
}

[[noreturn]] void refuse_class(const std::string& table, const std::string& label,
                               const std::vector<std::string>& known) {
  throw InputError(fmt::format("{}: class {} is unknown to the model; its classes are {}", printable(table),
                               quote(label), listing(known)));
}

std::vector<std::string> sorted_classes(const std::vector<std::string>& labels) {
  std::set<std::string> distinct;
  for (const std::string& label : labels)
    if (is_label(label)) distinct.insert(label);
  std::vector<std::string> out(distinct.begin(), distinct.end());
  if (std::all_of(out.begin(), out.end(), [](const std::string& s) { return number(s).has_value(); }))
    std::stable_sort(out.begin(), out.end(),
                     [](const std::string& a, const std::string& b) { return *number(a) < *number(b); });
  return out;
}

/// The distinct numbers of an array, ascending.
std::vector<double> distinct_values(const RowTable& table) {
  std::set<double> out;
  Matrix block;
  Index labelled = 0;
  for (Index begin = 0; begin < table.rows(); begin += block_rows) {
    block.resize(std::min(block_rows, table.rows() - begin), 1);
    table.read(begin, block);
    for (Index n = 0; n < block.rows(); ++n)
      if (!std::isnan(block(n, 0))) out.insert(block(n, 0)), ++labelled;
    if (out.size() > most_classes) refuse_classes(table.name(), out.size(), table.rows());
  }
  check_classes(table.name(), out.size(), labelled);
  return {out.begin(), out.end()};
}

/// Numbers of classes for the values of classes.
void encode(const std::string& table, const std::vector<double>& values,
            const std::vector<std::string>& classes, MatrixOut Y) {
  for (Index n = 0; n < Y.rows(); ++n) {
    if (std::isnan(Y(n, 0))) continue;
    const auto found = std::find(values.begin(), values.end(), Y(n, 0));
    if (found == values.end()) refuse_class(table, fmt::format("{}", Y(n, 0)), classes);
    Y(n, 0) = static_cast<double>(found - values.begin());
  }
}

Outcomes array_classes(const std::string& spec, double most_bytes, const std::vector<std::string>& known) {
  RowTable table = open_table(spec, most_bytes);
  if (table.cols() != 1)
    throw InputError(
        fmt::format("{}: labels must be a single column, but there are {}", printable(spec), table.cols()));
  std::vector<std::string> classes = known;
  std::vector<double> values;
  if (known.empty()) {
    values = distinct_values(table);
    for (const double value : values) classes.push_back(fmt::format("{}", value));
  } else {
    for (const std::string& name : known) values.push_back(number(name).value_or(nan));
  }
  if (!table.table()) return {std::move(table), {"y"}, std::move(classes), std::move(values)};
  Table codes = *table.table();
  encode(spec, values, classes, codes.values);
  return {RowTable(spec, std::move(codes)), {"y"}, std::move(classes), {}};
}

/// One row of the other for each row of one of them.
std::vector<std::string> ids_of(const Table& x, const Table& y, const std::vector<Index>& rows_x,
                                const std::vector<Index>& rows_y) {
  std::vector<std::string> out;
  const bool from_y = x.ids_generated && !y.ids_generated;
  for (std::size_t i = 0; i < rows_x.size(); ++i)
    out.push_back(from_y && rows_y[i] >= 0 ? y.ids[static_cast<std::size_t>(rows_y[i])]
                                           : x.ids[static_cast<std::size_t>(rows_x[i])]);
  return out;
}

std::string left_out(Index rows, const std::string& table, const std::string& other) {
  return fmt::format("{} of {} {} not in {} and {} left out", counted(rows, "row"), printable(table),
                     rows == 1 ? "is" : "are", printable(other), rows == 1 ? "is" : "are");
}

std::string by_position_note(const std::string& nameless, const std::string& other) {
  return fmt::format("{} has no sample ids; its rows are matched to those of {} by position",
                     printable(nameless), printable(other));
}

}  // namespace

void Outcomes::read(Index begin, MatrixOut out) const {
  table.read(begin, out);
  if (!values.empty()) encode(table.name(), values, classes, out);
}

Outcomes read_numbers(const std::string& spec, double most_bytes, const CsvOptions& csv) {
  RowTable table = open_table(spec, most_bytes, csv);
  std::vector<std::string> names = table.table() && !table.table()->columns_generated
                                       ? table.table()->columns
                                       : numbered_outcomes(table.cols());
  return {std::move(table), std::move(names)};
}

Outcomes read_classes(const std::string& spec, double most_bytes, const CsvOptions& csv,
                      const std::vector<std::string>& known) {
  if (is_array(spec)) return array_classes(spec, most_bytes, known);
  LabelColumn column = read_labels(spec, csv);
  const std::vector<std::string> classes = known.empty() ? sorted_classes(column.labels) : known;
  Index labelled = 0;
  for (const std::string& label : column.labels) labelled += is_label(label);
  if (known.empty()) check_classes(spec, classes.size(), labelled);
  const std::string name = column.column == spec ? "y" : column.column;  // arrays have no names
  Table codes{.ids = std::move(column.ids),
              .columns = {name},
              .values = Matrix::Constant(static_cast<Index>(column.labels.size()), 1, nan),
              .ids_generated = column.ids_generated,
              .id_name = std::move(column.id_name)};
  for (std::size_t n = 0; n < column.labels.size(); ++n) {
    if (!is_label(column.labels[n])) continue;
    const Index k = find_class(column.labels[n], classes);
    if (k < 0) refuse_class(spec, column.labels[n], classes);
    codes.values(static_cast<Index>(n), 0) = static_cast<double>(k);
  }
  return {RowTable(spec, std::move(codes)), {name}, classes, {}};
}

std::vector<std::string> numbered_inputs(Index n) {
  std::vector<std::string> out;
  for (const std::string& name : numbered_names(n)) out.push_back("x_" + name);
  return out;
}

std::vector<std::string> numbered_outcomes(Index n) {
  if (n == 1) return {"y"};
  std::vector<std::string> out;
  for (const std::string& name : numbered_names(n)) out.push_back("y_" + name);
  return out;
}

PairedRows::PairedRows(RowTable x) : x_(std::move(x)), rows_(x_.rows()) {
  if (x_.table() && !x_.table()->ids_generated) ids_ = x_.table()->ids;
}

PairedRows::PairedRows(RowTable x, Outcomes y, bool all_inputs, std::vector<std::string>& notes)
    : PairedRows(std::move(x)) {
  y_ = std::make_shared<Outcomes>(std::move(y));
  const Table *tx = x_.table(), *ty = y_->table.table();
  if (!tx || !ty) {
    if (x_.rows() != y_->table.rows())
      throw InputError(fmt::format(
          "'{}' has {} and '{}' has {}, but '{}' has no sample ids, so rows can only be matched by position",
          printable(x_name()), counted(x_.rows(), "row"), printable(y_name()),
          counted(y_->table.rows(), "row"), printable(tx ? y_name() : x_name())));
    if (tx && !tx->ids_generated) notes.push_back(by_position_note(y_name(), x_name()));
    if (ty && !ty->ids_generated) {
      notes.push_back(by_position_note(x_name(), y_name()));
      ids_ = ty->ids;
    }
    return;
  }
  MatchedRows rows =
      match_rows({x_name(), tx->ids, tx->ids_generated}, {y_name(), ty->ids, ty->ids_generated});
  if (rows.by_position && tx->ids_generated != ty->ids_generated)
    notes.push_back(tx->ids_generated ? by_position_note(x_name(), y_name())
                                      : by_position_note(y_name(), x_name()));
  if (all_inputs) {
    rows_y_.assign(static_cast<std::size_t>(tx->rows()), -1);
    for (std::size_t i = 0; i < rows.a.size(); ++i) rows_y_[static_cast<std::size_t>(rows.a[i])] = rows.b[i];
    for (Index n = 0; n < tx->rows(); ++n) rows_x_.push_back(n);
  } else {
    if (rows.only_a > 0) notes.push_back(left_out(rows.only_a, x_name(), y_name()));
    if (rows.only_b > 0) notes.push_back(left_out(rows.only_b, y_name(), x_name()));
    Index unmeasured = 0;
    for (std::size_t i = 0; i < rows.a.size(); ++i) {
      if (ty->values.row(rows.b[i]).array().isNaN().all()) {
        ++unmeasured;
        continue;
      }
      rows_x_.push_back(rows.a[i]);
      rows_y_.push_back(rows.b[i]);
    }
    if (unmeasured > 0)
      notes.push_back(fmt::format("{} without an outcome {} left out", counted(unmeasured, "row"),
                                  unmeasured == 1 ? "is" : "are"));
    if (rows_x_.empty()) throw InputError(fmt::format("{}: all outcomes are missing", printable(y_name())));
  }
  rows_ = static_cast<Index>(rows_x_.size());
  ids_.clear();
  if (!tx->ids_generated || !ty->ids_generated || rows_ != tx->rows())
    ids_ = ids_of(*tx, *ty, rows_x_, rows_y_);
}

std::string PairedRows::id(Index n) const {
  return ids_.empty() ? std::to_string(n) : ids_[static_cast<std::size_t>(n)];
}

std::string PairedRows::where(Index n) const {
  if (ids_.empty()) return fmt::format("{}, row {}", printable(x_name()), n + 1);
  return fmt::format("{}, sample {}", printable(x_name()), quote(id(n)));
}

void PairedRows::read(Index begin, MatrixOut X, MatrixOut Y) const {
  if (rows_x_.empty()) {
    x_.read(begin, X);
    if (y_) y_->read(begin, Y);
    return;
  }
  const Matrix &x = x_.table()->values, &y = y_->table.table()->values;
  for (Index n = 0; n < X.rows(); ++n) {
    const auto i = static_cast<std::size_t>(begin + n);
    X.row(n) = x.row(rows_x_[i]);
    if (rows_y_[i] < 0)
      Y.row(n).setConstant(nan);
    else
      Y.row(n) = y.row(rows_y_[i]);
  }
}

}  // namespace bochner::cli
