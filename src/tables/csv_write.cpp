#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "bochner/tables/atomic_file.hpp"
#include "bochner/tables/csv.hpp"
#include "gzip.hpp"

namespace bochner {

namespace {

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

  // Quotes where the text would not come back as itself: delimiters, quotes, line ends, spaces at the ends.
  void text(std::string_view cell) {
    separate();
    const bool plain = cell.find_first_of("\"\r\n,;\t|") == std::string_view::npos &&
                       !cell.starts_with(' ') && !cell.ends_with(' ');
    if (plain) {
      line_ += cell;
      return;
    }
    line_ += '"';
    for (const char c : cell) {
      if (c == '"') line_ += '"';
      line_ += c;
    }
    line_ += '"';
  }

  void number(double value) {
    separate();
    if (std::isnan(value)) return;
    std::array<char, 32> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc()) throw std::logic_error("write_csv: a double needs more than 32 characters");
    line_.append(digits.data(), end);
  }

  void end_line() {
    line_ += '\n';
    first_ = true;
    if (line_.size() < (1u << 16)) return;
    pass_on();
  }

  void commit() {
    pass_on();
    if (gzip_) gzip_->finish();
    file_.commit();
  }

 private:
  void separate() {
    if (!first_) line_ += delimiter_;
    first_ = false;
  }
  void pass_on() {
    gzip_ ? gzip_->write(line_) : file_.write(line_);
    line_.clear();
  }

  AtomicFile file_;
  std::unique_ptr<detail::GzipWriter> gzip_;
  std::string line_;
  char delimiter_ = ',';
  bool first_ = true;
};

void check_shape(std::size_t ids, std::size_t columns, std::size_t rows, std::size_t cols) {
  if (ids != rows || columns != cols)
    throw std::invalid_argument("write_csv: ids and columns must have the shape of the table");
}

void header(CsvFile& csv, const std::string& id_name, const std::vector<std::string>& columns) {
  csv.text(id_name);
  for (const std::string& column : columns) csv.text(column);
  csv.end_line();
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
  header(state_->csv, id_name, columns);
}
CsvWriter::~CsvWriter() = default;
CsvWriter::CsvWriter(CsvWriter&&) noexcept = default;

void CsvWriter::write(const std::vector<std::string>& ids, MatrixIn values) { write(ids, {}, values); }

void CsvWriter::write(const std::vector<std::string>& ids, const std::vector<std::vector<std::string>>& words,
                      MatrixIn values) {
  check_shape(ids.size(), state_->columns, static_cast<std::size_t>(values.rows()),
              words.size() + static_cast<std::size_t>(values.cols()));
  for (const auto& column : words) check_shape(ids.size(), 0, column.size(), 0);
  for (Index n = 0; n < values.rows(); ++n) {
    const auto row = static_cast<std::size_t>(n);
    state_->csv.text(ids[row]);
    for (const auto& column : words) state_->csv.text(column[row]);
    for (Index m = 0; m < values.cols(); ++m) state_->csv.number(values(n, m));
    state_->csv.end_line();
  }
}

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
  header(csv, id_name, table.columns);
  for (std::size_t n = 0; n < table.ids.size(); ++n) {
    csv.text(table.ids[n]);
    for (const auto& column : table.cells) csv.text(column[n]);
    csv.end_line();
  }
  csv.commit();
}

}  // namespace bochner
