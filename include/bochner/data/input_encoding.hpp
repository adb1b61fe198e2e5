#pragma once
#include <functional>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

// From the columns of a table as people keep them to the numbers that a kernel takes.
//
//   a number    itself; where some rows lack it, those have the mean of the others, and a further column "NAME missing" is 1
//               there: the model learns what a missing value means
//   a date      days since 1970-01-01, then as a number
//   a category  a column "NAME=LEVEL" for each level, 1 in the rows that have it. At most 100 levels, the most frequent, have
//               one; rows of other levels, and of levels that training has not seen, are 0 in all of them. "NAME missing" is
//               1 where there is no level, if training has such rows
//
// The encoding is learned once and stored with the model.

enum class InputKind { number, date, category };

struct InputColumn {
  std::string name;  // in the table
  InputKind kind = InputKind::number;
  std::vector<std::string> levels{};  // of a category, in the order of data/labels.hpp
  bool missing = false;               // in some row: there is a column for it
  double fill = 0;                    // what a missing number or date is

  Index width() const { return (kind == InputKind::category ? Index(levels.size()) : 1) + missing; }
};

struct InputEncoding {
  std::vector<InputColumn> columns{};

  bool plain() const;  // nothing to do: numbers without missing values
  Index width() const;
  std::vector<std::string> names() const;  // of the encoded columns
  Index first(std::size_t column) const;   // of its encoded columns
};

/// A column as read, text or numbers.
struct RawColumn {
  std::string name;
  std::vector<std::string> cells{};  // empty for a column of numbers
  Vector numbers{};                  // NaN where missing

  bool text() const { return numbers.size() == 0; }
  Index rows() const { return text() ? Index(cells.size()) : numbers.size(); }
};

struct RawTable {
  std::string name;  // for messages
  std::vector<RawColumn> columns;
  std::vector<std::string> ids{};  // for messages; none: rows are counted from 1
};

struct EncodingOptions {
  std::vector<std::string> categorical{};  // columns that are categories whatever they hold
  /// What a user can do about columns of text that are neither dates nor repeated levels; `unique`: one of them has another text
  /// in every row.
  std::function<std::string(const std::vector<std::string>& columns, bool unique)> remedy{};
};

/// Columns of text are numbers if some cell is a plain number, dates if some cell is one, and categories if all cells are words
/// (1st, 18-25 and 08:00 are some) rather than numbers in another notation (1,5 or 5 % or $5). InputError, with row and column, for
/// a cell that does not fit, for columns without any value, and for text that hardly repeats, such as names of rows: all such
/// columns in one message.
InputEncoding learn_encoding(const RawTable& table, const EncodingOptions& options);

/// What the encoding did, for a note: "'day' is 7 levels, ..."; empty where it is plain.
std::string encoding_text(const InputEncoding& encoding);

/// N x width, for a table whose columns are those of the encoding, in its order. A number that is missing in a column that has never
/// lacked one stays NaN. Adds to `notes` what the user should know, such as levels that are new.
Matrix encode(const InputEncoding& encoding, const RawTable& table, std::vector<std::string>& notes);

/// The same of a table that is numbers throughout.
Matrix encode_numbers(const InputEncoding& encoding, MatrixIn X);

/// The columns of a matrix under these names.
RawTable raw_table(const std::string& name, MatrixIn X, const std::vector<std::string>& columns);

}  // namespace bochner
