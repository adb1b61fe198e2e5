#include "bochner/tables/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "cell.hpp"
#include "csv_reader.hpp"

namespace bochner {

namespace {

using namespace detail;

// Rows of doubles of which only the width is known, in pieces of 256 kB: growing does not copy, and
// turning them into a matrix frees each piece behind it.
class RowStore {
 public:
  explicit RowStore(Index cols) : cols_(cols), rows_per_piece_(std::max<Index>(1, (Index{1} << 15) / cols)) {}

  double* add() {
    if (rows_ % rows_per_piece_ == 0) pieces_.emplace_back(static_cast<std::size_t>(rows_per_piece_ * cols_));
    return pieces_.back().data() + (rows_++ % rows_per_piece_) * cols_;
  }

  bool empty_column(Index m) const {
    for (Index n = 0; n < rows_; ++n)
      if (!std::isnan(pieces_[static_cast<std::size_t>(n / rows_per_piece_)]
                             [static_cast<std::size_t>((n % rows_per_piece_) * cols_ + m)]))
        return false;
    return true;
  }

  Matrix take(Index cols) {
    Matrix out(rows_, cols);
    for (Index begin = 0; begin < rows_; begin += rows_per_piece_) {
      std::vector<double>& piece = pieces_[static_cast<std::size_t>(begin / rows_per_piece_)];
      const Index n = std::min(rows_per_piece_, rows_ - begin);
      out.middleRows(begin, n) = Eigen::Map<const Matrix>(piece.data(), n, cols_).leftCols(cols);
      std::vector<double>().swap(piece);
    }
    return out;
  }

 private:
  Index cols_, rows_per_piece_, rows_ = 0;
  std::vector<std::vector<double>> pieces_;
};

// A number of at most 15 digits without exponent, the usual cell: digits and power of ten are exact doubles, so the one
// division rounds correctly [clinger1990]. Returns where it ends, or nothing if scan_number has to look at it.
const char* parse_short(const char* p, const char* end, double& value) {
  static constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = p != end && *p == '-';
  if (negative) ++p;
  const char *const begin = p, *point = nullptr;
  std::uint64_t digits = 0;
  for (; p != end; ++p) {
    const unsigned digit = static_cast<unsigned char>(*p) - unsigned{'0'};
    if (digit <= 9)
      digits = 10 * digits + digit;
    else if (*p == '.' && !point)
      point = p;
    else
      break;
    if (p - begin > 15) return nullptr;
  }
  const std::ptrdiff_t count = p - begin - (point != nullptr);
  if (count < 1 || count > 15) return nullptr;
  value = static_cast<double>(digits) / powers[point ? p - point - 1 : 0];
  if (negative) value = -value;
  return p;
}

// A row without quotes, the usual case: parsing finds the end of a number by itself, so a cell is touched
// once.
Index read_plain_row(CsvReader& csv, char decimal, double* out) {
  const std::string_view text = csv.record().text;
  const char *p = text.data(), *const end = p + text.size();
  const char delimiter = csv.delimiter();
  const Index fields = csv.fields(), id_field = csv.id_field();
  Index field = 0;
  for (;; ++p) {
    const char* stop = nullptr;
    if (field < fields && field != id_field && decimal == '.') {
      stop = parse_short(p, end, *out);
      if (!stop || (stop != end && *stop != delimiter)) {
        stop = scan_number(p, end, *out);
        if (stop && stop != end && *stop != delimiter) stop = nullptr;
      }
      if (stop) ++out;
    }
    if (!stop) {
      const void* found = p == end ? nullptr : std::memchr(p, delimiter, static_cast<std::size_t>(end - p));
      stop = found ? static_cast<const char*>(found) : end;
      const std::string_view cell = trimmed({p, static_cast<std::size_t>(stop - p)});
      if (field == id_field) {
        csv.set_id(cell);
      } else if (field < fields) {
        if (!parse_cell(cell, decimal, *out) && !csv.left_out(field)) csv.bad_cell(field, cell);
        ++out;
      }
    }
    ++field;
    if (stop == end) return field;
    p = stop;
  }
}

// Calls f(field, cell) for every cell of the current row; returns their number.
template <class F>
Index for_each_cell(CsvReader& csv, F&& f) {
  Index field = 0;
  std::string_view cell;
  try {
    for (Cells cells(csv.record(), csv.delimiter()); cells.next(cell); ++field)
      if (field == csv.id_field())
        csv.set_id(cell);
      else if (field < csv.fields())
        f(field, cell);
  } catch (const std::string& why) {
    csv.bad_row(why);
  }
  return field;
}

void leave_out(const std::vector<std::string>& without, std::vector<std::string>& columns, Matrix& values) {
  std::vector<Index> kept;
  std::vector<std::string> names;
  for (std::size_t m = 0; m < columns.size(); ++m)
    if (std::find(without.begin(), without.end(), columns[m]) == without.end()) {
      kept.push_back(static_cast<Index>(m));
      names.push_back(std::move(columns[m]));
    }
  columns = std::move(names);
  values = Matrix(values(Eigen::all, kept));
}

Table read_numbers(PeekedSource source, const std::string& name, const CsvOptions& options) {
  CsvReader csv(std::move(source), name, options);
  const Index cols = csv.fields() - (csv.id_field() >= 0);
  RowStore rows(cols);
  while (csv.next_row()) {
    double *const row = rows.add(), *out = row;
    Index count = 0;
    if (csv.record().has_quotes)
      count = for_each_cell(csv, [&](Index field, std::string_view cell) {
        if (!parse_cell(cell, options.decimal, *out) && !csv.left_out(field)) csv.bad_cell(field, cell);
        ++out;
      });
    else
      count = read_plain_row(csv, options.decimal, out);
    csv.check_field_count(count);
    if (count < csv.fields())
      std::fill(row + cols - (csv.fields() - count), row + cols, std::numeric_limits<double>::quiet_NaN());
  }
  CsvReader::Names names = csv.finish([&](Index m) { return rows.empty_column(m); });
  Matrix values = rows.take(static_cast<Index>(names.columns.size()));
  if (!options.without.empty()) leave_out(options.without, names.columns, values);
  if (names.columns.empty())
    throw InputError(fmt::format("{}: no column is left that holds numbers", printable(name)));
  return {std::move(names.ids), std::move(names.columns), std::move(values),
          names.ids_generated,  names.columns_generated,  std::move(names.id_name)};
}

TextTable read_texts(PeekedSource source, const std::string& name, const CsvOptions& options) {
  CsvReader csv(std::move(source), name, options);
  std::vector<std::vector<std::string>> cells(static_cast<std::size_t>(csv.fields() - (csv.id_field() >= 0)));
  while (csv.next_row()) {
    for (auto& column : cells) column.emplace_back();
    auto out = cells.begin();
    csv.check_field_count(for_each_cell(csv, [&](Index, std::string_view cell) { (out++)->back() = cell; }));
  }
  CsvReader::Names names = csv.finish([&](Index m) {
    const auto& column = cells[static_cast<std::size_t>(m)];
    return std::all_of(column.begin(), column.end(), [](const std::string& s) { return s.empty(); });
  });
  cells.resize(names.columns.size());
  return {name,
          std::move(names.ids),
          std::move(names.columns),
          std::move(cells),
          names.ids_generated,
          std::move(names.id_name)};
}

}  // namespace

Table read_csv(const std::string& path, const CsvOptions& options) {
  return read_numbers(peek_through_gzip(file_bytes(InputFile(path)), path), path, options);
}

TextTable read_csv_text(const std::string& path, const CsvOptions& options) {
  return read_texts(peek_through_gzip(file_bytes(InputFile(path)), path), path, options);
}

Table parse_csv(std::string_view bytes, const std::string& name, const CsvOptions& options) {
  return read_numbers(peek_through_gzip(memory_bytes(bytes), name), name, options);
}

TextTable parse_csv_text(std::string_view bytes, const std::string& name, const CsvOptions& options) {
  return read_texts(peek_through_gzip(memory_bytes(bytes), name), name, options);
}

}  // namespace bochner
