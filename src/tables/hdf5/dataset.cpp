#include "dataset.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "src/tables/fail.hpp"
#include "storage.hpp"

namespace bochner::detail {

namespace {

enum class Suits { yes, unreadable, text, compound, other_type, dimensions, empty };

struct Shape {
  int dimensions = 0;
  hsize_t size[2] = {0, 1};
};

// Of a dataset that is not virtual: HDF5 would open the sources to tell its shape.
Suits suits(hid_t dataset, Shape& shape) {
  const H5 type(H5Dget_type(dataset), H5Tclose);
  const H5 space(H5Dget_space(dataset), H5Sclose);
  if (!type.ok() || !space.ok()) return Suits::unreadable;
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_STRING || kind == H5T_VLEN) return Suits::text;
  if (kind == H5T_COMPOUND) return Suits::compound;
  // h5py keeps booleans as an enumeration, which HDF5 converts like the integers below it.
  if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM) return Suits::other_type;
  shape.dimensions = H5Sget_simple_extent_ndims(space);
  if (shape.dimensions != 1 && shape.dimensions != 2) return Suits::dimensions;
  if (H5Sget_simple_extent_dims(space, shape.size, nullptr) != shape.dimensions) return Suits::unreadable;
  constexpr hsize_t most = hsize_t{1} << 57;
  if (shape.size[0] == 0 || shape.size[1] == 0) return Suits::empty;
  if (shape.size[0] > most || shape.size[1] > most / shape.size[0]) return Suits::unreadable;
  return Suits::yes;
}

}  // namespace

bool is_table(hid_t dataset) {
  Shape shape;
  return where_stored(dataset) == Stored::in_file && suits(dataset, shape) == Suits::yes;
}

Hdf5Dataset::Hdf5Dataset(hid_t file, H5 dataset, const std::string& path, const std::string& name)
    : dataset_(std::move(dataset)) {
  const std::string what = quote(name);
  if (where_stored(dataset_) != Stored::in_file) check_stored(dataset_, 0, path, what);  // says why
  Shape shape;
  switch (suits(dataset_, shape)) {
    case Suits::yes:
    case Suits::empty:
      break;
    case Suits::text:
      fail(path, fmt::format("{} holds text, not numbers", what));
    case Suits::compound:
      fail(path,
           fmt::format("{} has named fields; save a plain array of numbers, one field per column", what));
    case Suits::dimensions:
      fail(path, fmt::format("{} has {} dimensions, a table has 2", what, std::max(0, shape.dimensions)));
    case Suits::other_type:
      fail(path, fmt::format("{} does not hold numbers", what));
    case Suits::unreadable:
      fail(path, fmt::format("{} is damaged", what));
  }
  rows_ = static_cast<Index>(shape.size[0]);
  cols_ = static_cast<Index>(shape.size[1]);
  dimensions_ = shape.dimensions;
  const double count = double(rows_) * double(cols_);
  check_claim(file, count, path, what);  // a value has a byte at least
  check_stored(dataset_, count, path, what);
  const H5 creation(H5Dget_create_plist(dataset_), H5Pclose);
  hsize_t chunk[2] = {0, 0};
  if (H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_chunk(creation, 2, chunk) == dimensions_)
    chunk_rows_ = static_cast<Index>(std::min<hsize_t>(chunk[0], shape.size[0]));
}

bool Hdf5Dataset::integers() const {
  const H5 type(H5Dget_type(dataset_), H5Tclose);
  return H5Tget_class(type) == H5T_INTEGER;
}

double Hdf5Dataset::cpu_seconds(Index n) const {
  // Whole chunks are unpacked even if a few of their rows are wanted; 2 MB/s is far slower than any filter.
  return 10 + 8e-6 * 0.5 * double(n + 2 * chunk_rows_) * double(cols_);
}

bool Hdf5Dataset::read(Index begin, Index n, double* out) const {
  return read_as(H5T_NATIVE_DOUBLE, begin, n, out);
}

bool Hdf5Dataset::read(Index begin, Index n, std::int64_t* out) const {
  return read_as(H5T_NATIVE_INT64, begin, n, out);
}

bool Hdf5Dataset::read_as(hid_t type, Index begin, Index n, void* out) const {
  if (n == 0) return true;
  const hsize_t start[2] = {static_cast<hsize_t>(begin), 0};
  const hsize_t count[2] = {static_cast<hsize_t>(n), static_cast<hsize_t>(cols_)};
  const H5 file_space(H5Dget_space(dataset_), H5Sclose);
  const H5 memory_space(H5Screate_simple(dimensions_, count, nullptr), H5Sclose);
  return file_space.ok() && memory_space.ok() &&
         H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0 &&
         H5Dread(dataset_, type, memory_space, file_space, H5P_DEFAULT, out) >= 0;
}

}  // namespace bochner::detail
