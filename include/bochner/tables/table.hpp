#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// What a file of numbers holds: row n is the sample `ids[n]`, column m the variable `columns[m]`, an entry
/// that was not measured is NaN. Every reader in this folder promises unique ids and unique columns, no
/// infinite entry, and at least one row and one column; whatever breaks the promise is an InputError of one
/// sentence.
///
/// A file that has no names (NPY, HDF5, a CSV file of values only) gets "0", "1", ... as numpy and pandas
/// number them, and the flag says so: such ids mean "the n-th row", nothing more.
struct Table {
  std::vector<std::string> ids;      // N
  std::vector<std::string> columns;  // M
  Matrix values;                     // N x M
  bool ids_generated = false;
  bool columns_generated = false;
  std::string id_name{};  // what the file calls its column of ids; "" where that has no name

  Index rows() const { return values.rows(); }
  Index cols() const { return values.cols(); }
};

/// "0", "1", ..., the names of n rows or columns that came without.
std::vector<std::string> numbered_names(Index n);

/// A table without names of its own.
Table make_table(Matrix values);

/// What a file of words and numbers holds (labels, metadata): one string per cell, as written, spaces at the
/// ends removed. Only an empty cell is missing here: "NA" may be a label.
struct TextTable {
  std::string name;                             // the file, for messages
  std::vector<std::string> ids;                 // N
  std::vector<std::string> columns;             // M
  std::vector<std::vector<std::string>> cells;  // M columns of N cells each
  bool ids_generated = false;
  std::string id_name{};  // as in Table

  /// The cells of one column; InputError that names the nearest column if there is no such column.
  const std::vector<std::string>& column(const std::string& name) const;

  /// One column as numbers, with the missing values of CSV files (csv.hpp) as NaN; InputError that names
  /// sample and column if a cell is something else.
  Vector numbers(const std::string& name, char decimal = '.') const;
};

/// The columns that hold words or dates: more than half of their cells that are not missing begin with a letter, have three in a row,
/// or are ISO dates. Numbers that are written in other ways (1,5 or <0.5 or 5 kg) do not, and a few words among numbers are a mistake
/// rather than words.
std::vector<std::string> columns_of_words(const TextTable& table);

/// Those of nothing but yes and no, or true and false.
std::vector<std::string> columns_of_yes_and_no(const TextTable& table);

}  // namespace bochner
