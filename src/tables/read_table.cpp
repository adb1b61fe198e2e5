#include "bochner/tables/read_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ascii_lower.hpp"
#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "byte_source.hpp"
#include "fail.hpp"
#include "file_signature.hpp"

namespace bochner {

namespace {

namespace fs = std::filesystem;
using detail::fail;

enum class Kind { unknown, csv, npy, npz, hdf5 };

struct Guess {
  Kind kind = Kind::unknown;
  bool gzip = false;
};

Guess by_extension(const std::string& path) {
  const auto extension = [](const fs::path& p) { return detail::ascii_lower(p.extension().string()); };
  fs::path p(path);
  Guess guess;
  guess.gzip = extension(p) == ".gz" || extension(p) == ".bgz";
  if (guess.gzip) p = p.stem();
  const std::string e = extension(p);
  if (e == ".csv" || e == ".tsv" || e == ".tab" || e == ".txt") guess.kind = Kind::csv;
  if (e == ".npy") guess.kind = Kind::npy;
  if (e == ".npz") guess.kind = Kind::npz;
  if (e == ".h5" || e == ".hdf5" || e == ".h5ad" || e == ".hdf" || e == ".loom") guess.kind = Kind::hdf5;
  return guess;
}

Kind by_bytes(std::string_view head) {
  switch (detail::recognise(head)) {
    case detail::Format::npy:
      return Kind::npy;
    case detail::Format::hdf5:
      return Kind::hdf5;
    case detail::Format::zip:
      return head.find(".npy") != std::string_view::npos ? Kind::npz : Kind::csv;
    default:
      return Kind::csv;  // whose reader knows the messages for everything else
  }
}

Kind kind_of(const std::string& path) {
  const Guess guess = by_extension(path);
  if (guess.kind != Kind::unknown && !guess.gzip) return guess.kind;
  return by_bytes(
      detail::peek_through_gzip(detail::file_bytes(detail::InputFile(path, detail::Pipes::refused)), path)
          .head);
}

void refuse_part(const TableSpec& spec, const char* what) {
  if (!spec.part.empty())
    fail(spec.path, fmt::format("{} has no parts, so leave out {}", what, quote(":" + spec.part)));
}

// One column of a CSV file, whatever the others hold.
Table read_column(const TableSpec& spec, const CsvOptions& options) {
  TextTable text = read_csv_text(spec.path, options);
  const Vector values = text.numbers(spec.part, options.decimal);
  return {std::move(text.ids), {spec.part}, Matrix(values),
          text.ids_generated,  false,       std::move(text.id_name)};
}

}  // namespace

TableSpec split_spec(const std::string& spec) {
  if (spec.find("://") != std::string::npos) fail(spec, "this is a web address; download the file first");
  std::error_code error;
  if (fs::exists(spec, error)) return {spec, ""};
  // Names of datasets may hold colons too: the first colon behind an existing file counts, and if there is no
  // such file, the first behind something that has the extension of a table.
  for (const bool by_name : {false, true})
    for (std::size_t colon = spec.find(':'); colon != std::string::npos; colon = spec.find(':', colon + 1)) {
      const std::string path = spec.substr(0, colon);
      if (by_name ? by_extension(path).kind != Kind::unknown : fs::is_regular_file(path, error))
        return {path, spec.substr(colon + 1)};
    }
  return {spec, ""};
}

Table read_table(const std::string& spec, const CsvOptions& options) {
  const TableSpec where = split_spec(spec);
  const Guess guess = by_extension(where.path);
  if (guess.kind == Kind::unknown || guess.gzip) {
    // Opened once, so that a pipe will do.
    detail::InputFile file(where.path);
    const bool regular = file.regular();
    detail::PeekedSource source = detail::peek_through_gzip(detail::file_bytes(std::move(file)), where.path);
    const Kind kind = by_bytes(source.head);
    if (kind == Kind::npy) {
      refuse_part(where, "a NumPy array");
      return parse_npy(detail::read_all(*source.bytes), where.path);
    }
    if (!regular) {
      if (kind != Kind::csv) fail(where.path, "only CSV and NPY can be read from a pipe");
      return parse_csv(detail::read_all(*source.bytes), where.path, options);
    }
    if (kind == Kind::npz && !guess.gzip) return read_npz(where.path, where.part);
    if (kind == Kind::hdf5 && !guess.gzip) return read_hdf5(where.path, where.part);
    if (kind == Kind::npz || kind == Kind::hdf5) fail(where.path, "unpack the gzip file first");
  }
  switch (guess.kind) {
    case Kind::npy:
      refuse_part(where, "a NumPy array");
      return read_npy(where.path);
    case Kind::npz:
      return read_npz(where.path, where.part);
    case Kind::hdf5:
      return read_hdf5(where.path, where.part);
    default:
      return where.part.empty() ? read_csv(where.path, options) : read_column(where, options);
  }
}

TextTable read_text_table(const std::string& spec, const CsvOptions& options) {
  const TableSpec where = split_spec(spec);
  TextTable table = read_csv_text(where.path, options);
  if (where.part.empty()) return table;
  std::vector<std::string> column = table.column(where.part);
  return {table.name,          std::move(table.ids), {where.part},
          {std::move(column)}, table.ids_generated,  std::move(table.id_name)};
}

AnyRows open_rows(const std::string& spec) {
  const TableSpec where = split_spec(spec);
  switch (kind_of(where.path)) {
    case Kind::npy:
      refuse_part(where, "a NumPy array");
      return NpyRows(where.path);
    case Kind::hdf5:
      return Hdf5Rows(where.path, where.part);
    default:
      fail(where.path, "blocks of rows are read from NPY and HDF5 files only; convert the table first");
  }
}

}  // namespace bochner
