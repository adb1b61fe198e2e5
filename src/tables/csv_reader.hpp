#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/tables/csv.hpp"
#include "records.hpp"

namespace bochner::detail {

/// Steps through the cells of one record. A cell is a piece of the record, or of `scratch` when quotes were
/// undone.
class Cells {
 public:
  Cells(const Record& record, char delimiter) : record_(record), delimiter_(delimiter) {}

  /// The next cell, trimmed; false behind the last. Quotes that do not pair throw std::string, the end of a
  /// sentence.
  bool next(std::string_view& cell);

 private:
  const Record& record_;
  char delimiter_;
  std::size_t at_ = 0;
  bool done_ = false;
  std::string scratch_;
};

/// What CSV files of numbers and of text have in common: delimiter, header, which column holds the ids, rows
/// that have the right number of fields, and the checks of ids and names. The rules are in csv.hpp.
class CsvReader {
 public:
  CsvReader(PeekedSource source, std::string name, const CsvOptions& options);

  /// The next row, past blank lines. False at the end.
  bool next_row();

  // The current row, and what its reader hands back.
  const Record& record() const { return record_; }
  char delimiter() const { return delimiter_; }
  Index fields() const { return fields_; }       // per row, the ids included
  Index id_field() const { return id_field_; }   // -1: none
  bool found_ids() const { return found_ids_; }  // nobody said that the first column holds the ids
  const std::string& id_name() const { return id_name_; }
  bool left_out(Index field) const;  // by CsvOptions::without
  void set_id(std::string_view id);
  void check_field_count(Index count) const;  // of the current row
  [[noreturn]] void bad_cell(Index field, std::string_view text) const;
  [[noreturn]] void bad_row(const std::string& why) const;

  /// Rows read so far.
  Index rows() const { return static_cast<Index>(lines_.size()); }

  /// After the last row. `empty(m)` tells whether column m holds nothing: a column at the right end that
  /// holds nothing and has no name is not part of the table.
  struct Names {
    std::vector<std::string> ids, columns;
    bool ids_generated, columns_generated;
    std::string id_name;
  };
  Names finish(const std::function<bool(Index)>& empty);

 private:
  bool read_record();  // next record that is not blank
  bool blank() const;
  void read_header();
  void choose_layout(std::vector<std::string> header, const std::vector<std::string>& first_row);
  std::vector<std::string> split() const;
  Index unnamed_tail() const;  // columns at the right end without a name
  void check_columns() const;
  void check_ids() const;
  std::string column_text(Index field) const;
  [[noreturn]] void fail(const std::string& why) const;

  std::string name_;
  CsvOptions options_;
  Records records_;
  Record record_;
  char delimiter_ = ',';
  bool pending_ = false;    // the current record is a row not yet handed out
  bool row_names_ = false;  // R: the header is one short, the first column has the row names
  bool found_ids_ = false;  // nobody said that the first column holds the ids
  Index fields_ = 0, id_field_ = -1;
  long long header_line_ = 0, empty_line_ = 0;
  std::vector<std::string> columns_;  // of values
  std::string id_name_;
  std::vector<std::string> ids_;
  std::vector<long long> lines_;  // where each row starts
};

}  // namespace bochner::detail
