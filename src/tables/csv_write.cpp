#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

#include "bochner/tables/atomic_file.hpp"
#include "bochner/tables/csv.hpp"
#include "gzip.hpp"

namespace bochner {

namespace {

// Cells of a line, one after the other.
class CsvText {
 public:
  explicit CsvText(char delimiter) : delimiter_(delimiter) {}

  // Quotes where the text would not come back as itself: delimiters, quotes, line ends, spaces at the ends.
  void text(std::string_view cell) {
    separate();
    const bool plain = cell.find_first_of("\"\r\n,;\t|") == std::string_view::npos &&
                       !cell.starts_with(' ') && !cell.ends_with(' ');
    if (plain) {
      bytes_ += cell;
      return;
    }
    bytes_ += '"';
    for (const char c : cell) {
      if (c == '"') bytes_ += '"';
      bytes_ += c;
    }
    bytes_ += '"';
  }

  void number(double value) {
    separate();
    if (std::isnan(value)) return;
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc()) throw std::logic_error("write_csv: a double needs more than 32 characters");
    bytes_.append(digits.data(), end);
  }

  void end_line() {
    bytes_ += '\n';
    first_ = true;
  }

  std::string take() { return std::exchange(bytes_, {}); }
  std::size_t size() const { return bytes_.size(); }

 private:
  void separate() {
    if (!first_) bytes_ += delimiter_;
    first_ = false;
  }

  std::string bytes_;
  char delimiter_;
  bool first_ = true;
};

// Text goes through gzip or straight into the file, as the name asks.
class CsvFile {
 public:
  explicit CsvFile(const std::string& path) : file_(path) {
    std::string stem = path;
    if (stem.ends_with(".gz")) {
      stem.resize(stem.size() - 3);
      gzip_ = std::make_unique<detail::GzipWriter>([this](std::string_view bytes) { file_.write(bytes); });
    }
    delimiter_ = stem.ends_with(".tsv") || stem.ends_with(".tab") ? '\t' : ',';
  }

  char delimiter() const { return delimiter_; }
  void write(std::string_view bytes) { gzip_ ? gzip_->write(bytes) : file_.write(bytes); }
  void commit() {
    if (gzip_) gzip_->finish();
    file_.commit();
  }

 private:
  AtomicFile file_;
  std::unique_ptr<detail::GzipWriter> gzip_;
  char delimiter_ = ',';
};

constexpr std::size_t bytes_at_once = 1u << 16;

void check_shape(std::size_t ids, std::size_t columns, std::size_t rows, std::size_t cols) {
  if (ids != rows || columns != cols)
    throw std::invalid_argument("write_csv: ids and columns must have the shape of the table");
}

void write_header(CsvFile& csv, const std::string& id_name, const std::vector<std::string>& columns) {
  CsvText text(csv.delimiter());
  std::string distinct = id_name;  // a measurement may have this name
  while (std::find(columns.begin(), columns.end(), distinct) != columns.end())
    distinct = "sample_" + distinct;
  text.text(distinct);
  for (const std::string& column : columns) text.text(column);
  text.end_line();
  csv.write(text.take());
}

}  // namespace

struct CsvWriter::State {
  State(const std::string& path, std::size_t column_count) : csv(path), columns(column_count) {}
  CsvFile csv;
  std::size_t columns;
};

CsvWriter::CsvWriter(const std::string& path, const std::vector<std::string>& columns,
                     const std::string& id_name)
    : state_(std::make_unique<State>(path, columns.size())) {
  write_header(state_->csv, id_name, columns);
}
CsvWriter::~CsvWriter() = default;
CsvWriter::CsvWriter(CsvWriter&&) noexcept = default;

void CsvWriter::write(const std::vector<std::string>& ids, MatrixIn values) { write(ids, {}, values); }

void CsvWriter::write(const std::vector<std::string>& ids, const std::vector<std::vector<std::string>>& words,
                      MatrixIn values) {
  check_shape(ids.size(), state_->columns, static_cast<std::size_t>(values.rows()),
              words.size() + static_cast<std::size_t>(values.cols()));
  for (const auto& column : words) check_shape(ids.size(), 0, column.size(), 0);
  CsvText text(state_->csv.delimiter());
  for (Index n = 0; n < values.rows(); ++n) {
    const auto row = static_cast<std::size_t>(n);
    text.text(ids[row]);
    for (const auto& column : words) text.text(column[row]);
    for (Index m = 0; m < values.cols(); ++m) text.number(values(n, m));
    text.end_line();
    if (text.size() >= bytes_at_once) state_->csv.write(text.take());
  }
  state_->csv.write(text.take());
}

std::string CsvWriter::lines(const std::vector<std::string>& ids, MatrixIn values, Index begin,
                             Index count) const {
  check_shape(ids.size(), state_->columns, static_cast<std::size_t>(values.rows()),
              static_cast<std::size_t>(values.cols()));
  CsvText text(state_->csv.delimiter());
  for (Index n = begin; n < begin + count; ++n) {
    text.text(ids.at(static_cast<std::size_t>(n)));
    for (Index m = 0; m < values.cols(); ++m) text.number(values(n, m));
    text.end_line();
  }
  return text.take();
}

void CsvWriter::write_lines(std::string_view text) { state_->csv.write(text); }

void CsvWriter::commit() { state_->csv.commit(); }

void write_csv(const std::string& path, const Table& table, const std::string& id_name) {
  check_shape(table.ids.size(), table.columns.size(), static_cast<std::size_t>(table.rows()),
              static_cast<std::size_t>(table.cols()));
  CsvWriter csv(path, table.columns, id_name);
  csv.write(table.ids, table.values);
  csv.commit();
}

void write_csv(const std::string& path, const TextTable& table, const std::string& id_name) {
  check_shape(table.ids.size(), table.columns.size(), table.ids.size(), table.cells.size());
  for (const auto& column : table.cells) check_shape(table.ids.size(), 0, column.size(), 0);
  CsvFile csv(path);
  write_header(csv, id_name, table.columns);
  CsvText text(csv.delimiter());
  for (std::size_t n = 0; n < table.ids.size(); ++n) {
    text.text(table.ids[n]);
    for (const auto& column : table.cells) text.text(column[n]);
    text.end_line();
    if (text.size() >= bytes_at_once) csv.write(text.take());
  }
  csv.write(text.take());
  csv.commit();
}

}  // namespace bochner
