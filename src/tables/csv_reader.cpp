#include "csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "ascii_lower.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "cell.hpp"
#include "duplicates.hpp"
#include "file_signature.hpp"

namespace bochner::detail {

namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::string_view forbidden_delimiters = "\"\r\n.+-eE0123456789 ";

// The delimiter that splits this line most often, quoted cells aside; '\0' if there is none.
char sniff(std::string_view line, char decimal) {
  constexpr std::array<char, 4> candidates = {',', ';', '\t', '|'};
  std::array<long, 4> count{};
  bool inside = false;
  for (const char c : line) {
    if (c == '"') inside = !inside;
    for (std::size_t k = 0; k < candidates.size() && !inside; ++k)
      count[k] += c == candidates[k] && c != decimal;
  }
  const auto best = std::max_element(count.begin(), count.end());
  return *best > 0 ? candidates[static_cast<std::size_t>(best - count.begin())] : '\0';
}

bool ends_like_id(std::string_view word) {
  return word.ends_with("_id") || word.ends_with(" id") || word.ends_with("sampleid");
}

// Names under which a column of fractions is still a column of ids.
bool sounds_like_id(std::string_view name) {
  static constexpr std::array<std::string_view, 18> words = {
      "",    "id",   "ids",  "sample", "samples", "name",    "names",   "index", "key",
      "row", "rows", "time", "t",      "date",    "subject", "patient", "cell",  "barcode"};
  const std::string word = ascii_lower(name);
  return ends_like_id(word) || std::find(words.begin(), words.end(), word) != words.end();
}

// 1700.0, 1701.0, ..: years as pandas writes them, not measurements.
bool whole_even_steps(const std::vector<std::string>& ids) {
  std::vector<double> t;
  for (const std::string& id : ids) {
    const std::optional<double> value = parse_number(id);
    if (!value || *value != std::floor(*value)) return false;
    t.push_back(*value);
    if (t.size() > 1 && (t[1] == t[0] || *value - t[t.size() - 2] != t[1] - t[0])) return false;
  }
  return t.size() > 2;
}

// Names under which a first column is no input of a regression. Narrower: time, date and cell are inputs there.
bool is_called_id(std::string_view name) {
  static constexpr std::array<std::string_view, 18> words = {
      "",    "id",    "ids",     "sample",  "samples", "name",       "names",   "rownames",  "row.names",
      "key", "index", "subject", "patient", "barcode", "unnamed: 0", "rowname", "row_names", "row names"};
  const std::string word = ascii_lower(name);
  return ends_like_id(word) || std::find(words.begin(), words.end(), word) != words.end();
}

// "1-Mar", "Sep-02": what Excel makes of the genes MARCH1 and SEPT2.
bool excel_date(std::string_view name) {
  static constexpr std::string_view months = "jan feb mar apr may jun jul aug sep oct nov dec";
  const std::size_t dash = name.find('-');
  if (dash == npos) return false;
  std::string_view a = name.substr(0, dash), b = name.substr(dash + 1);
  if (!a.empty() && !(a[0] >= '0' && a[0] <= '9')) std::swap(a, b);
  if (a.empty() || a.size() > 2 || b.size() != 3) return false;
  return months.find(ascii_lower(b)) != npos &&
         std::all_of(a.begin(), a.end(), [](char c) { return c >= '0' && c <= '9'; });
}

const char* gene_hint(std::string_view name) {
  return excel_date(name)
             ? " (Excel turns gene names such as MARCH1 and SEPT2 into dates; import those columns as text)"
             : "";
}

}  // namespace

bool Cells::next(std::string_view& cell) {
  if (done_) return false;
  const std::string_view text = record_.text;
  std::size_t start = at_;
  if (record_.has_quotes) {
    while (start < text.size() && text[start] == ' ') ++start;
    if (start < text.size() && text[start] == '"') {
      scratch_.clear();
      for (std::size_t i = start + 1;;) {
        const std::size_t closing = text.find('"', i);
        if (closing == npos) throw std::string("a quote opens here and never closes");
        scratch_ += text.substr(i, closing - i);
        i = closing + 1;
        if (i < text.size() && text[i] == '"') {
          scratch_ += '"';
          ++i;
          continue;
        }
        const std::size_t stop = std::min(text.find(delimiter_, i), text.size());
        const std::string_view behind = trimmed(text.substr(i, stop - i));
        if (!behind.empty())
          throw fmt::format("{} follows a closing quote; write \"\" for a quote inside a quoted cell",
                            quote(behind));
        cell = trimmed(scratch_);
        done_ = stop == text.size();
        at_ = stop + 1;
        return true;
      }
    }
  }
  const std::size_t stop = std::min(text.find(delimiter_, at_), text.size());
  cell = trimmed(text.substr(at_, stop - at_));
  done_ = stop == text.size();
  at_ = stop + 1;
  return true;
}

CsvReader::CsvReader(PeekedSource source, std::string name, const CsvOptions& options)
    : name_(std::move(name)),
      options_(options),
      records_((refuse_foreign(source.head, name_), std::move(source)), name_) {
  if (options.decimal != '.' && options.decimal != ',')
    throw std::invalid_argument("read_csv: decimal must be '.' or ','");
  if (options.delimiter != '\0' &&
      (forbidden_delimiters.find(options.delimiter) != npos || options.delimiter == options.decimal))
    throw std::invalid_argument(
        "read_csv: delimiter cannot be a quote, a line end, a space or part of a number");
  if (!options.id_column.empty() && (!options.header || !options.ids))
    throw std::invalid_argument("read_csv: id_column needs header = true and ids = true");
  read_header();
}

void CsvReader::fail(const std::string& why) const {
  throw InputError(fmt::format("{}: {}", printable(name_), why));
}

void CsvReader::bad_row(const std::string& why) const {
  throw InputError(fmt::format("{}, line {}: {}", printable(name_), record_.line, why));
}

std::string CsvReader::column_text(Index field) const {
  const std::string number = fmt::format("column {}", field + 1);
  if (!options_.header) return number;
  const Index value = field - (id_field_ >= 0 && field > id_field_);
  const std::string& name = field == id_field_ ? id_name_ : columns_[static_cast<std::size_t>(value)];
  return name.empty() ? number : number + " " + quote(name);
}

bool CsvReader::left_out(Index field) const {
  if (options_.without.empty() || field == id_field_) return false;
  const Index value = field - (id_field_ >= 0 && field > id_field_);
  const std::string& name = columns_[static_cast<std::size_t>(value)];
  return std::find(options_.without.begin(), options_.without.end(), name) != options_.without.end();
}

void CsvReader::bad_cell(Index field, std::string_view text) const {
  check_field_count(static_cast<Index>(split().size()));  // cells that moved sideways explain a bad one
  const bool perhaps_ids =
      options_.named_ids && options_.ids && options_.header && field == 0 && id_field_ < 0;
  throw InputError(
      fmt::format("{}, line {}, {}: {}{}", printable(name_), record_.line, column_text(field),
                  explain_cell(text, options_.decimal, !options_.named_ids),
                  perhaps_ids ? "; if these are the ids of the rows, call the column 'id'" : ""));
}

bool CsvReader::blank() const {
  const std::string_view text = record_.text;
  // Delimiters alone are a row of missing values if rows are told apart by their place only.
  const bool delimiters_too = options_.ids && (fields_ == 0 || id_field_ >= 0);
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return c == delimiter_ ? delimiters_too : c == ' ' || c == '\t'; });
}

bool CsvReader::read_record() {
  while (records_.next(record_)) {
    if (!blank()) return true;
    if (empty_line_ == 0) empty_line_ = record_.line;
  }
  return false;
}

std::vector<std::string> CsvReader::split() const {
  std::vector<std::string> out;
  std::string_view cell;
  try {
    for (Cells cells(record_, delimiter_); cells.next(cell);) out.emplace_back(cell);
  } catch (const std::string& why) {
    bad_row(why);
  }
  return out;
}

void CsvReader::read_header() {
  if (!read_record()) fail("the file is empty");
  delimiter_ = options_.delimiter;
  const std::string_view line = record_.text;
  if (line.size() == 5 && line.starts_with("sep=") &&
      forbidden_delimiters.find(line[4]) == npos) {  // Excel's
    if (delimiter_ == '\0') delimiter_ = record_.text[4];
    if (!read_record()) fail("there is a 'sep=' line and nothing below it");
  }
  const auto settle_delimiter = [&] {
    if (delimiter_ == '\0') delimiter_ = sniff(record_.text, options_.decimal);
    records_.set_delimiter(delimiter_);
  };
  settle_delimiter();
  std::vector<std::string> header;
  if (options_.header) {
    header_line_ = record_.line;
    header = split();
    empty_line_ = 0;
    if (!read_record()) fail("there is a header but no row below it");
    // A header without delimiter: a single column, R's row names beside it, or a title above the table.
    settle_delimiter();
  }
  if (delimiter_ == '\0') delimiter_ = options_.decimal == ',' ? ';' : ',';
  records_.set_delimiter(delimiter_);
  choose_layout(std::move(header), split());
  pending_ = true;
}

void CsvReader::choose_layout(std::vector<std::string> header, const std::vector<std::string>& first_row) {
  const auto size = [](const auto& v) { return static_cast<Index>(v.size()); };
  fields_ = options_.header ? size(header) : size(first_row);
  if (options_.header) {
    if (std::all_of(header.begin(), header.end(), [](const std::string& s) { return looks_numeric(s); }))
      throw InputError(
          fmt::format("{}, line {}: there are only numbers, so the header seems to be missing; add a line "
                      "of column names on top",
                      printable(name_), header_line_));
    // With commas only if the row name is quoted, as R does: "s1,1,5" below "id,x" is a decimal comma.
    row_names_ = options_.ids && options_.id_column.empty() && size(first_row) == fields_ + 1 &&
                 (delimiter_ != ',' || trimmed(record_.text).starts_with('"'));
    if (row_names_) {
      header.insert(header.begin(), "");
      ++fields_;
    }
  }
  const auto at = std::find(header.begin(), header.end(), options_.id_column);
  if (!options_.id_column.empty() && !(options_.id_optional && at == header.end())) {
    if (at == header.end())
      throw InputError(fmt::format("{}, line {}: there is no column {} for the sample ids{}",
                                   printable(name_), header_line_, quote(options_.id_column),
                                   did_you_mean(options_.id_column, header)));
    id_field_ = static_cast<Index>(at - header.begin());
    if (fields_ == 1)
      fail(fmt::format("there are no columns beside the ids in {}", quote(options_.id_column)));
  } else if (options_.ids && fields_ > 1) {
    const bool ids_first = options_.header ? row_names_ || !options_.named_ids || is_called_id(header[0])
                                           : !(looks_numeric(first_row[0]) || is_missing(first_row[0]));
    id_field_ = ids_first ? 0 : -1;
    found_ids_ = ids_first && !row_names_;
  }
  if (options_.header) {
    if (id_field_ >= 0) {
      id_name_ = header[static_cast<std::size_t>(id_field_)];
      header.erase(header.begin() + id_field_);
    }
    columns_ = std::move(header);
    check_columns();
  } else {
    columns_ = numbered_names(fields_ - (id_field_ >= 0));
  }
}

void CsvReader::check_columns() const {
  const auto field_of = [&](std::size_t m) {
    return static_cast<Index>(m) + 1 + (id_field_ >= 0 && static_cast<Index>(m) >= id_field_);
  };
  std::vector<std::string> named(columns_.begin(), columns_.end() - unnamed_tail());
  if (named.empty()) fail("no column beside the ids has a name");
  for (std::size_t m = 0; m < named.size(); ++m)
    if (named[m].empty())
      throw InputError(
          fmt::format("{}, line {}: column {} has no name", printable(name_), header_line_, field_of(m)));
  if (const auto repeat = first_repeat(named))
    throw InputError(
        fmt::format("{}, line {}: columns {} and {} are both called {}; column names must be unique{}",
                    printable(name_), header_line_, field_of(repeat->first), field_of(repeat->second),
                    quote(named[repeat->second]), gene_hint(named[repeat->second])));
}

bool CsvReader::next_row() {
  if (!pending_) {
    empty_line_ = 0;
    if (!read_record()) return false;
    // Without ids the place of a row is its name, and a blank line between rows may be a sample without a
    // value.
    if (empty_line_ != 0 && id_field_ < 0)
      throw InputError(
          fmt::format("{}, line {}: the line is empty, and in a table without sample ids that is ambiguous; "
                      "write NA, or remove the line",
                      printable(name_), empty_line_));
  }
  pending_ = false;
  lines_.push_back(record_.line);
  return true;
}

void CsvReader::set_id(std::string_view id) {
  if (id.empty())
    bad_row(fmt::format("the row has no sample id in {}{}", column_text(id_field_),
                        found_ids_ ? "; if this is not a column of ids, add one in front" : ""));
  ids_.emplace_back(id);
}

Index CsvReader::unnamed_tail() const {
  Index n = 0;
  while (n < static_cast<Index>(columns_.size()) &&
         columns_[columns_.size() - 1 - static_cast<std::size_t>(n)].empty())
    ++n;
  return n;
}

void CsvReader::check_field_count(Index count) const {
  // Excel leaves out empty cells at the right end of some rows; that concerns columns without a name only, and those
  // right of the ids.
  if (count == fields_ || (count < fields_ && count >= fields_ - unnamed_tail() && count > id_field_)) return;
  std::string hint;
  if (count < fields_ && !record_.ended)
    hint = "; the file ends in the middle of this line, so it may have been cut off";
  else if (count > fields_ && fields_ == 1)
    hint = "; remove title lines above the header, and write decimals with a point";
  else if (count > fields_ && delimiter_ == ',')
    hint = "; put quotes around a cell that holds a comma, and write decimals with a point";
  bad_row(fmt::format("the row has {}, but {} has {}{}", counted(count, "field"),
                      options_.header ? "the header" : "the first row", fields_, hint));
}

void CsvReader::check_ids() const {
  if (found_ids_ && options_.header && !sounds_like_id(id_name_)) {
    const std::string* example = nullptr;
    bool all_numbers = true;
    for (const std::string& id : ids_) {
      bool fraction = false;
      all_numbers = looks_numeric(id, &fraction);
      if (!all_numbers) break;
      if (fraction && !example) example = &id;
    }
    if (all_numbers && example && !(options_.times && whole_even_steps(ids_)))
      fail(fmt::format(
          "the first column {} holds measurements (such as {}) where the sample ids are expected; add a "
          "first column of ids",
          quote(id_name_), quote(*example)));
  }
  if (const auto repeat = first_repeat(ids_)) {
    const std::string& id = ids_[repeat->second];
    const char* hint = !(looks_numeric(id) && found_ids_) ? gene_hint(id)
                       : options_.named_ids               ? "; give it another name if it holds values"
                                            : "; if this is not a column of ids, add one in front";
    throw InputError(fmt::format("{}, lines {} and {}: both rows have the sample id {}; ids must be unique{}",
                                 printable(name_), lines_[repeat->first], lines_[repeat->second], quote(id),
                                 hint));
  }
}

CsvReader::Names CsvReader::finish(const std::function<bool(Index)>& empty) {
  const Index last = static_cast<Index>(columns_.size()) - 1;
  if (row_names_ && last > 0 && empty(last))
    fail(
        "every row has one field more than the header, and the last one is always empty; remove the "
        "delimiter at the end "
        "of the rows");
  check_ids();
  while (columns_.back().empty()) {
    const Index m = static_cast<Index>(columns_.size()) - 1;
    if (!empty(m))
      throw InputError(fmt::format("{}, line {}: column {} has no name", printable(name_), header_line_,
                                   m + (id_field_ >= 0 && m >= id_field_) + 1));
    columns_.pop_back();
  }
  const bool generated = id_field_ < 0;
  return {generated ? numbered_names(rows()) : std::move(ids_), std::move(columns_), generated,
          !options_.header, generated ? std::string() : std::move(id_name_)};
}

}  // namespace bochner::detail
