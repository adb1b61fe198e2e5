#pragma once
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bochner/data/input_encoding.hpp"
#include "bochner/tables/read_table.hpp"

namespace bochner::cli {

/// A table of numbers whose rows are read in blocks: it is in memory, or it is an NPY or HDF5 file too large for that.
class RowTable {
 public:
  RowTable(std::string name, Table table);
  RowTable(std::string name, AnyRows rows);

  const std::string& name() const { return name_; }  // as the user wrote it
  Index rows() const;
  Index cols() const;
  const Table* table() const { return std::get_if<Table>(&source_); }  // none if it is read in blocks
  void read(Index begin, MatrixOut out) const;                         // rows begin .. begin + out.rows() - 1
  /// Rows are encoded as they are read from now on; of a table that is read in blocks.
  void encode_with(InputEncoding encoding) { encoding_ = std::move(encoding); }

 private:
  std::string name_;
  std::variant<Table, AnyRows> source_;
  InputEncoding encoding_{};  // of what is read in blocks; no columns: as it is
};

/// Reads a table, or opens it where it is an array of more than `most_bytes` without names of rows and columns.
RowTable open_table(const std::string& spec, double most_bytes, const CsvOptions& csv = {});

/// How tables of inputs and outcomes are read: ids are a first column that is called so, or the column that `id` names, where
/// a table has it; "none": every column holds values.
CsvOptions input_csv(const std::string& id);

/// InputError if `id` names a column that none of the tables has.
void check_id_column(const std::string& id, const std::vector<const RowTable*>& tables);

/// "has ids in the column 'sample'", "has no ids": where the ids of a table were found.
std::string ids_text(const Table& table);

/// Whether the name is that of a file that blocks of rows can be read from.
bool is_array(const std::string& spec);

/// Whether the file is one of arrays, not of text, by its extension.
bool holds_arrays(const std::string& path);

/// AnnData has names of rows and columns, other arrays do not.
bool has_names(const AnyRows& rows);

/// Some columns of a table of words, as numbers. InputError if one of them is absent or is not numbers.
Table number_columns(const TextTable& text, const std::vector<std::string>& wanted);

}  // namespace bochner::cli
