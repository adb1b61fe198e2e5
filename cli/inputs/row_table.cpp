#include "row_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::cli {

RowTable::RowTable(std::string name, Table table) : name_(std::move(name)), source_(std::move(table)) {}
RowTable::RowTable(std::string name, AnyRows rows) : name_(std::move(name)), source_(std::move(rows)) {}

Index RowTable::rows() const { return table() ? table()->rows() : bochner::rows(std::get<AnyRows>(source_)); }
Index RowTable::cols() const {
  if (!encoding_.columns.empty()) return encoding_.width();
  return table() ? table()->cols() : bochner::cols(std::get<AnyRows>(source_));
}

void RowTable::read(Index begin, MatrixOut out) const {
  if (const Table* whole = table()) {
    out = whole->values.middleRows(begin, out.rows());
  } else if (encoding_.columns.empty()) {
    read_rows(std::get<AnyRows>(source_), begin, out);
  } else {
    Matrix raw(out.rows(), bochner::cols(std::get<AnyRows>(source_)));
    read_rows(std::get<AnyRows>(source_), begin, raw);
    out = encode_numbers(encoding_, raw);
  }
}

bool is_array(const std::string& spec) {
  const std::string path = split_spec(spec).path;
  return path.ends_with(".npy") || path.ends_with(".h5") || path.ends_with(".hdf5");
}

bool holds_arrays(const std::string& path) {
  constexpr std::array<const char*, 5> extensions{".npy", ".npz", ".h5", ".hdf5", ".h5ad"};
  const std::string extension = std::filesystem::path(path).extension().string();
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

bool has_names(const AnyRows& rows) {
  const auto* hdf5 = std::get_if<Hdf5Rows>(&rows);
  return hdf5 && (!hdf5->ids().empty() || !hdf5->columns().empty());
}

RowTable open_table(const std::string& spec, double most_bytes, const CsvOptions& csv) {
  if (is_array(spec)) {
    AnyRows rows = open_rows(spec);
    constexpr double name = 40;  // bytes: in memory, every row has one
    const double bytes =
        static_cast<double>(bochner::rows(rows)) * (name + 8 * static_cast<double>(cols(rows)));
    if (bytes > most_bytes && !has_names(rows)) return {spec, std::move(rows)};
  }
  return {spec, read_table(spec, csv)};
}

CsvOptions input_csv(const std::string& id) {
  if (id == "none") return {.ids = false, .named_ids = true};
  return {.id_column = id, .id_optional = true, .named_ids = true};
}

void check_id_column(const std::string& id, const std::vector<const RowTable*>& tables) {
  if (id.empty() || id == "none") return;
  for (const RowTable* t : tables)
    if (t->table() && !t->table()->ids_generated && t->table()->id_name == id) return;
  throw InputError(fmt::format("--id: {} has no column {}",
                               printable(split_spec(tables.front()->name()).path), quote(id)));
}

std::string ids_text(const Table& table) {
  if (table.ids_generated) return "has no ids";
  return table.id_name.empty() ? "has row names as ids"
                               : fmt::format("has ids in the column {}", quote(table.id_name));
}

Table number_columns(const TextTable& text, const std::vector<std::string>& wanted) {
  Table out{.ids = text.ids,
            .columns = wanted,
            .values = Matrix(static_cast<Index>(text.ids.size()), static_cast<Index>(wanted.size())),
            .ids_generated = text.ids_generated,
            .id_name = text.id_name};
  for (std::size_t c = 0; c < wanted.size(); ++c) try {
      out.values.col(static_cast<Index>(c)) = text.numbers(wanted[c]);
    } catch (const InputError& error) {
      if (!text.ids_generated || wanted[c] != text.columns.front()) throw;
      throw InputError(
          fmt::format("{}; if these are row ids, use --id {}", error.what(), printable(wanted[c])));
    }
  return out;
}

}  // namespace bochner::cli
