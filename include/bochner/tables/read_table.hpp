#pragma once
#include <string>
#include <variant>

#include "bochner/tables/csv.hpp"
#include "bochner/tables/hdf5.hpp"
#include "bochner/tables/npy.hpp"
#include "bochner/tables/npz.hpp"
#include "bochner/tables/table.hpp"

namespace bochner {

/// "path" or "path:part". A spec that is the name of an existing file has no part; otherwise the last colon
/// splits.
struct TableSpec {
  std::string path;
  std::string part;  // an array of an NPZ file, a dataset of an HDF5 file, a column of a CSV file
};
TableSpec split_spec(const std::string& spec);

/// Any table of numbers, the reader chosen by the extension (.csv .tsv .tab .txt .npy .npz .h5 .hdf5 .h5ad,
/// and .gz after the first five), and by the first bytes when the extension says nothing. `options` matter to
/// CSV files only. Formats that people try and that are not read (Excel, Parquet, ...) are named in the
/// InputError, with a way out.
Table read_table(const std::string& spec, const CsvOptions& options = {});

/// A table of text from a CSV or TSV file; "samples.csv:type" keeps the column `type` only.
TextTable read_text_table(const std::string& spec, const CsvOptions& options = {});

/// Row-block access to the formats that are made for it, for data larger than memory.
using AnyRows = std::variant<NpyRows, Hdf5Rows>;
AnyRows open_rows(const std::string& spec);

inline Index rows(const AnyRows& any) {
  return std::visit([](const auto& r) { return r.rows(); }, any);
}
inline Index cols(const AnyRows& any) {
  return std::visit([](const auto& r) { return r.cols(); }, any);
}
inline void read_rows(const AnyRows& any, Index begin, MatrixOut out) {
  std::visit([&](const auto& r) { r.read(begin, out); }, any);
}

}  // namespace bochner
