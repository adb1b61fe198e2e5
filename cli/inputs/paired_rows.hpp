#pragma once
#include <memory>
#include <string>
#include <vector>

#include "row_table.hpp"

namespace bochner::cli {

/// What is to be predicted: numbers, or classes as their numbers from 0. NaN was not measured.
struct Outcomes {
  RowTable table;
  std::vector<std::string> names;      // of the columns
  std::vector<std::string> classes{};  // none for numbers
  std::vector<double> values{};        // of the classes in the table, where it is read in blocks

  void read(Index begin, MatrixOut out) const;
};

/// Columns of numbers. Those without names are called "y", or "y_0", "y_1", ...
Outcomes read_numbers(const std::string& spec, double most_bytes, const CsvOptions& csv);

/// One column of labels. Classes are its distinct labels in the order of data/labels.hpp. With `known` classes, those of a
/// model, another one is an InputError; so is a column of hardly repeated values, or of one value.
Outcomes read_classes(const std::string& spec, double most_bytes, const CsvOptions& csv,
                      const std::vector<std::string>& known = {});

/// "x_0", "x_1", ...: inputs that came without names.
std::vector<std::string> numbered_inputs(Index n);

/// "y", or "y_0", "y_1", ...: outcomes that came without.
std::vector<std::string> numbered_outcomes(Index n);

/// Rows of inputs, and of outcomes if there are some, that are the same samples.
class PairedRows {
 public:
  /// Inputs alone.
  explicit PairedRows(RowTable x);
  /// By id where both have ids, else by position. What only one of them has is left out, unless `all_inputs` asks to keep
  /// inputs without outcomes. Adds to `notes` what the user should know. InputError if nothing matches.
  PairedRows(RowTable x, Outcomes y, bool all_inputs, std::vector<std::string>& notes);

  Index rows() const { return rows_; }
  Index inputs() const { return x_.cols(); }
  Index outcomes() const { return y_ ? static_cast<Index>(y_->names.size()) : 0; }
  bool in_memory() const { return x_.table() && (!y_ || y_->table.table()); }
  const std::string& x_name() const { return x_.name(); }
  const std::string& y_name() const { return y_->table.name(); }
  std::string id(Index n) const;
  std::string where(Index n) const;  // "x.csv, sample 's7'" or "x.npy, row 8", for messages

  /// Rows begin .. begin + X.rows() - 1; Y has no columns where there are no outcomes.
  void read(Index begin, MatrixOut X, MatrixOut Y) const;

 private:
  RowTable x_;
  std::shared_ptr<Outcomes> y_;
  Index rows_ = 0;
  std::vector<std::string> ids_;        // empty: rows have numbers only
  std::vector<Index> rows_x_, rows_y_;  // where tables are in memory and differ; -1: none
};

}  // namespace bochner::cli
