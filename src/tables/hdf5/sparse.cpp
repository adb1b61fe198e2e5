#include "sparse.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "bochner/core/memory.hpp"
#include "bochner/core/messages.hpp"
#include "inside.hpp"

namespace bochner::detail {

namespace {

constexpr std::int64_t piece = std::int64_t{1} << 20;  // entries read at a time

// "csr", "csc" or nothing.
std::string format_of(hid_t group) {
  const std::string type = text_attribute(group, "encoding-type"),
                    old = text_attribute(group, "h5sparse_format");
  const std::string format = type.ends_with("_matrix") ? type.substr(0, 3) : old;
  return format == "csr" || format == "csc" ? format : "";
}

bool shape_of(hid_t group, std::int64_t (&shape)[2]) {
  for (const char* name : {"shape", "h5sparse_shape"}) {
    if (H5Aexists(group, name) <= 0) continue;
    const H5 attribute(H5Aopen(group, name, H5P_DEFAULT), H5Aclose);
    const H5 type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
    return type.ok() && space.ok() && H5Tget_class(type) == H5T_INTEGER &&
           H5Sget_simple_extent_npoints(space) == 2 && H5Aread(attribute, H5T_NATIVE_INT64, shape) >= 0;
  }
  return false;
}

}  // namespace

bool is_sparse(hid_t group) { return has_link(group, "indptr") && has_link(group, "indices"); }

bool is_readable_sparse(hid_t group) { return is_sparse(group) && !format_of(group).empty(); }

Hdf5Sparse::Hdf5Sparse(hid_t file, H5 group, const std::string& path, const std::string& name)
    : path_(path), name_(name) {
  const std::string format = format_of(group);
  if (format.empty())
    throw InputError(
        fmt::format("{}: {} is a sparse matrix without the attribute encoding-type, csr_matrix or "
                    "csc_matrix, so rows and "
                    "columns cannot be told apart; write it with AnnData, or dense with toarray()",
                    printable(path), quote(name)));
  by_columns_ = format == "csc";
  std::int64_t shape[2] = {0, 0};
  if (!shape_of(group, shape)) damaged("the attribute shape is not two integers");
  constexpr std::int64_t most = std::int64_t{1} << 57;
  if (shape[0] < 0 || shape[1] < 0 || shape[0] > most ||
      shape[1] > most / std::max<std::int64_t>(1, shape[0]))
    damaged(fmt::format("its shape is {} x {}", shape[0], shape[1]));
  if (shape[0] == 0 || shape[1] == 0)
    throw InputError(
        fmt::format("{}: {} is empty ({} x {})", printable(path), quote(name), shape[0], shape[1]));
  rows_ = shape[0];
  cols_ = shape[1];
  if (8 * double(cols_) > available_memory())
    throw InputError(fmt::format("{}: a row of {} has {} numbers, and {} of memory are more than there is",
                                 printable(path), quote(name), cols_, human_bytes(8 * double(cols_))));
  const auto member = [&](const char* part) {
    H5 dataset = open_inside(group, part, path);
    if (!dataset.ok() || H5Iget_type(dataset) != H5I_DATASET)
      damaged(fmt::format("it has no array {}", part));
    Hdf5Dataset out(file, std::move(dataset), path, name + "/" + part);
    if (out.dimensions() != 1) damaged(fmt::format("{} has 2 dimensions instead of 1", part));
    if (std::string_view(part) != "data" && !out.integers())
      damaged(fmt::format("{} are not integers", part));
    return out;
  };
  data_.emplace(member("data"));
  indices_.emplace(member("indices"));
  read_offsets(member("indptr"));
}

void Hdf5Sparse::damaged(const std::string& why) const {
  throw InputError(fmt::format("{}: the sparse matrix {} is damaged: {}; write it again", printable(path_),
                               quote(name_), why));
}

void Hdf5Sparse::read_offsets(const Hdf5Dataset& indptr) {
  const Index lines = by_columns_ ? cols_ : rows_;
  if (data_->rows() != indices_->rows())
    damaged(fmt::format("it has {} and {}", counted(data_->rows(), "value"),
                        counted(indices_->rows(), "index", "indices")));
  if (indptr.rows() != lines + 1)
    damaged(fmt::format("indptr has {}, but {} need {}", counted(indptr.rows(), "entry", "entries"),
                        counted(lines, by_columns_ ? "column" : "row"), lines + 1));
  offsets_.resize(static_cast<std::size_t>(lines + 1));
  if (!indptr.read(0, lines + 1, offsets_.data())) damaged("indptr cannot be read");
  if (offsets_.front() != 0) damaged(fmt::format("indptr begins with {} instead of 0", offsets_.front()));
  const auto falls = std::is_sorted_until(offsets_.begin(), offsets_.end());
  if (falls != offsets_.end())
    damaged(fmt::format("indptr decreases at entry {}", falls - offsets_.begin() + 1));
  if (offsets_.back() > data_->rows())
    damaged(fmt::format("indptr ends with {}, but the matrix has {}", offsets_.back(),
                        counted(data_->rows(), "value")));
}

double Hdf5Sparse::cpu_seconds(Index n) const {
  const bool whole = by_columns_ && !by_rows_;
  const Index entries = data_->rows();
  return 10 + 4e-6 * double(n) * double(cols_) + 2 * data_->cpu_seconds(entries) * (whole ? 2 : 1);
}

bool Hdf5Sparse::read_entries(std::int64_t begin, std::int64_t end, Entries& out) const {
  const auto n = static_cast<std::size_t>(end - begin);
  out.at.resize(n);
  out.values.resize(n);
  if (!indices_->read(begin, end - begin, out.at.data()) ||
      !data_->read(begin, end - begin, out.values.data()))
    return false;
  const Index size = by_columns_ ? rows_ : cols_;
  for (std::size_t i = 0; i < n; ++i)
    if (out.at[i] < 0 || out.at[i] >= size)
      damaged(fmt::format("entry {} of indices is {}, but the matrix has {}", begin + std::int64_t(i) + 1,
                          out.at[i], counted(size, by_columns_ ? "row" : "column")));
  return true;
}

bool Hdf5Sparse::turn_to_rows() {
  const std::int64_t count = offsets_.back();
  const double bytes = 16 * double(count) + 8 * double(rows_);
  if (bytes > available_memory())
    throw InputError(fmt::format(
        "{}: the sparse matrix {} is compressed by columns, and to sort {} by rows needs {} of memory, "
        "more than there is; save it as CSR (in SciPy, tocsr())",
        printable(path_), quote(name_), counted(count, "entry", "entries"), human_bytes(bytes)));
  std::vector<std::int64_t> next(static_cast<std::size_t>(rows_ + 1), 0);
  Entries some;
  for (std::int64_t begin = 0; begin < count; begin += piece) {  // how many each row has
    if (!read_entries(begin, std::min(begin + piece, count), some)) return false;
    for (const std::int64_t row : some.at) ++next[static_cast<std::size_t>(row + 1)];
  }
  for (std::size_t n = 1; n < next.size(); ++n) next[n] += next[n - 1];
  std::vector<std::int64_t> offsets = next;
  Entries sorted;
  sorted.at.resize(static_cast<std::size_t>(count));
  sorted.values.resize(static_cast<std::size_t>(count));
  std::int64_t column = 0;
  for (std::int64_t begin = 0; begin < count; begin += piece) {
    const std::int64_t end = std::min(begin + piece, count);
    if (!read_entries(begin, end, some)) return false;
    for (std::int64_t i = begin; i < end; ++i) {
      while (offsets_[static_cast<std::size_t>(column + 1)] <= i) ++column;
      const auto from = static_cast<std::size_t>(i - begin), row = static_cast<std::size_t>(some.at[from]);
      // Only a file that changed between the two passes has more in a row than was counted.
      if (next[row] >= offsets[row + 1]) return false;
      const auto to = static_cast<std::size_t>(next[row]++);
      sorted.at[to] = column;
      sorted.values[to] = some.values[from];
    }
  }
  offsets_ = std::move(offsets);
  by_rows_ = std::move(sorted);
  return true;
}

bool Hdf5Sparse::read(Index begin, Index n, double* out) {
  if (by_columns_ && !by_rows_ && !turn_to_rows()) return false;
  std::fill_n(out, n * cols_, 0.0);
  const auto offset = [&](Index row) { return offsets_[static_cast<std::size_t>(row)]; };
  Entries some;
  Index row = begin;
  for (std::int64_t first = offset(begin); first < offset(begin + n); first += piece) {
    const std::int64_t end = std::min(first + piece, offset(begin + n));
    if (!by_rows_ && !read_entries(first, end, some)) return false;
    const Entries& entries = by_rows_ ? *by_rows_ : some;
    const std::int64_t origin = by_rows_ ? 0 : first;
    for (std::int64_t i = first; i < end; ++i) {
      while (offset(row + 1) <= i) ++row;
      const auto from = static_cast<std::size_t>(i - origin);
      out[(row - begin) * cols_ + entries.at[from]] += entries.values[from];
    }
  }
  return true;
}

}  // namespace bochner::detail
