#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bochner/tables/table.hpp"

namespace bochner {

/// How to read a CSV or TSV file. The defaults fit what Excel, pandas and R write: a header line, sample ids
/// in the first column, one value per cell.
struct CsvOptions {
  char delimiter = '\0';     // `,`, `;`, `\t` or `|`; `\0` counts them in the header line
  char decimal = '.';        // or ',': then the delimiter must be something else
  bool header = true;        // false: columns are called "0", "1", ...
  bool ids = true;           // false: every column holds values, rows are called "0", "1", ...
  std::string id_column{};   // the name of the column with the ids; "" finds it, see below
  bool id_optional = false;  // a file without `id_column` is read as if none had been named
  /// The first column holds ids only if its name says so (id, sample, name, .., or none at all): any other is a column of
  /// values. For tables of inputs, in which `a,b,y` is common and ids are rare.
  bool named_ids = false;
  /// The first column holds times: whole numbers in even steps are ids whatever their name is and however they are written
  /// (1700.0, 1701.0).
  bool times = false;
  std::vector<std::string> without{};  // columns of values that are left out, whatever they hold
};

/// The numbers of a text table, plain or gzip, UTF-8 with or without a byte-order mark, lines ended by LF, CRLF or CR.
///
/// - Missing: an empty cell, or in any case of letters NA, N/A, n.a., NaN, null, None, `<NA>`, `#N/A`, `.`, `-`, `--`, `?`.
/// - Numbers: 1, -2.5, +3e-4, spaces around them, quotes around them. What is below the smallest double becomes 0.
///   Infinity, overflow, decimal commas, thousands separators, percentages, "<0.5", dates and any other text throw an
///   InputError that names line, column and remedy.
/// - Quotes follow RFC 4180: "a ""quoted"" cell", which may hold delimiters and line ends.
/// - Ids and column names lose the spaces at their ends, must be unique and not empty. Blank lines are skipped; columns
///   at the right end without name and values (Excel leaves them) are dropped. An Excel "sep=;" line is obeyed.
/// - Ids are in the first column unless `id_column` names another. A header that is one name shorter than the rows is
///   R's: the first column holds the row names. Two kinds of file have no ids, and their rows are numbered: a single
///   column, and (header = false) a first line that starts with a number; with `named_ids` also any file whose first
///   column is not called like ids. A first column of fractions under a name that
///   does not sound like an id is taken for measurements that came without ids: an InputError, not a lost column.
Table read_csv(const std::string& path, const CsvOptions& options = {});

/// The same rules without numbers: any text is a cell.
TextTable read_csv_text(const std::string& path, const CsvOptions& options = {});

/// A first column that was taken for ids because of its name (`named_ids`), and the first of its texts that is there twice.
struct NamedIds {
  std::string column;
  std::string repeated;  // "" if all differ
};

/// Nothing where the file has no such column or cannot be read. Reads no further than the first repeat.
std::optional<NamedIds> find_named_ids(const std::string& path, const CsvOptions& options);

/// Tables from memory; `name` stands for the file in messages.
Table parse_csv(std::string_view bytes, const std::string& name, const CsvOptions& options = {});
TextTable parse_csv_text(std::string_view bytes, const std::string& name, const CsvOptions& options = {});

/// Writes ids under `id_name`, then the columns. Every double is the shortest text that reads back as the
/// same bits, NaN is an empty cell. The extension decides: .tsv and .tab separate by tabs, all else by
/// commas; .gz compresses. The file appears whole or not at all; WriteError otherwise.
void write_csv(const std::string& path, const Table& table, const std::string& id_name = "id");
void write_csv(const std::string& path, const TextTable& table, const std::string& id_name = "id");

/// The same, block of rows by block of rows, for tables that need not fit into memory. Without `commit` no file appears.
class CsvWriter {
 public:
  CsvWriter(const std::string& path, const std::vector<std::string>& columns,
            const std::string& id_name = "id");
  ~CsvWriter();
  CsvWriter(CsvWriter&&) noexcept;
  CsvWriter& operator=(CsvWriter&&) = delete;

  void write(const std::vector<std::string>& ids, MatrixIn values);  // n ids, n x columns
  /// Columns of words first (each n cells), then those of numbers.
  void write(const std::vector<std::string>& ids, const std::vector<std::vector<std::string>>& words,
             MatrixIn values);
  /// The text of rows begin .. begin + count - 1 of such a table: most of the work of writing it, and several threads may do
  /// it at a time. `write_lines` appends it.
  std::string lines(const std::vector<std::string>& ids, MatrixIn values, Index begin, Index count) const;
  void write_lines(std::string_view text);
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bochner
