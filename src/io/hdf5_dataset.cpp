#include "hdf5_dataset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "bochner/core/errors.hpp"
#include "sentence.hpp"

namespace bochner::io {

namespace {

constexpr std::size_t most_datasets = 10000;

[[noreturn]] void fail(const std::string& name, const std::string& why) {
  throw InputError(fmt::format("{}: {}", printable(name), why));
}

H5 open_file(const std::string& path) {
  const H5 access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Locks fail on many network disks, and a reader has no need of them.
  H5Pset_file_locking(access, false, true);
  H5 file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (!file.ok()) fail(path, "this is not an HDF5 file, or it is damaged");
  return file;
}

enum class Suits { yes, not_a_dataset, unreadable, text, compound, other_type, dimensions, empty, external };

struct Shape {
  int dimensions = 0;
  hsize_t size[2] = {0, 1};
};

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
  // Numbers kept in other files: whoever wrote this file could point at any file of the reader's.
  const H5 creation(H5Dget_create_plist(dataset), H5Pclose);
  if (!creation.ok()) return Suits::unreadable;
  if (H5Pget_layout(creation) == H5D_CONTIGUOUS && H5Pget_external_count(creation) > 0)
    return Suits::external;
  return Suits::yes;
}

// A filter of this dataset that the library cannot undo, or nothing.
std::string unknown_filter(hid_t dataset) {
  const H5 creation(H5Dget_create_plist(dataset), H5Pclose);
  const int filters = H5Pget_nfilters(creation);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0, config = 0;
    size_t values = 0;
    char name[64] = "";
    const H5Z_filter_t id = H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr,
                                           sizeof name, name, &config);
    name[sizeof name - 1] = '\0';
    if (id < 0) return "unknown";
    if (H5Zfilter_avail(id) <= 0) return name[0] ? std::string(name) : fmt::format("number {}", id);
  }
  return {};
}

herr_t note(hid_t object, const char* name, const H5O_info_t* info, void* data) {
  auto& found = *static_cast<std::vector<std::string>*>(data);
  if (info->type != H5O_TYPE_DATASET) return 0;
  const H5 dataset(H5Dopen2(object, name, H5P_DEFAULT), H5Dclose);
  Shape shape;
  if (dataset.ok() && suits(dataset, shape) == Suits::yes) found.push_back(fmt::format("/{}", name));
  return found.size() >= most_datasets ? 1 : 0;
}

std::vector<std::string> list(hid_t file) {
  std::vector<std::string> found;
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, note, &found,
            H5O_INFO_BASIC);  // what it found until it stopped
  std::sort(found.begin(), found.end());
  return found;
}

std::string there_are(hid_t file) {
  const std::vector<std::string> paths = list(file);
  return paths.empty() ? std::string("there is no table of numbers in this file")
                       : fmt::format("the tables in it are {}", listing(paths));
}

// Opens every link on the way by itself: HDF5 fails differently for each, and a sparse matrix is a group.
H5 open_object(hid_t file, const std::string& path, const std::string& dataset) {
  const H5 object(H5Oopen(file, dataset.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.ok() && H5Lexists(file, dataset.c_str(), H5P_DEFAULT) > 0)
    fail(path, fmt::format(
                   "{} cannot be opened: the file is damaged, or from an HDF5 newer than {}.{}; save it with "
                   "libver='earliest'",
                   quote(dataset), H5_VERS_MAJOR, H5_VERS_MINOR));
  if (!object.ok()) fail(path, fmt::format("there is no {} in it; {}", quote(dataset), there_are(file)));
  if (H5Iget_type(object) == H5I_GROUP) {
    if (H5Lexists(object, "indptr", H5P_DEFAULT) > 0 && H5Lexists(object, "indices", H5P_DEFAULT) > 0)
      fail(path,
           fmt::format(
               "{} is a sparse matrix; save it dense, in Python for instance adata.X = adata.X.toarray()",
               quote(dataset)));
    fail(path, fmt::format("{} is a group, not a table; {}", quote(dataset), there_are(file)));
  }
  H5 opened(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (!opened.ok()) fail(path, fmt::format("{} cannot be opened; {}", quote(dataset), there_are(file)));
  return opened;
}

std::string only_dataset(hid_t file, const std::string& path) {
  const std::vector<std::string> paths = list(file);
  if (paths.empty()) fail(path, "there is no table of numbers in this file");
  const bool anndata = H5Lexists(file, "/obs", H5P_DEFAULT) > 0 && H5Lexists(file, "/var", H5P_DEFAULT) > 0;
  if (anndata && std::find(paths.begin(), paths.end(), "/X") != paths.end()) return "/X";
  if (paths.size() > 1)
    fail(path, fmt::format("the file holds {} tables, {}; name one, as in {}:{}", paths.size(),
                           listing(paths), printable(path), printable(paths[0])));
  return paths[0];
}

}  // namespace

Hdf5Dataset::Hdf5Dataset(const std::string& path, const std::string& dataset)
    : file_(open_file(path)),
      path_(path),
      name_(dataset.empty() ? only_dataset(file_, path) : dataset),
      title_(path + ":" + name_),
      dataset_(open_object(file_, path, name_)) {
  Shape shape;
  const std::string what = quote(name_);
  switch (suits(dataset_, shape)) {
    case Suits::yes:
      break;
    case Suits::text:
      fail(path, fmt::format("{} holds text, not numbers", what));
    case Suits::compound:
      fail(path,
           fmt::format("{} has named fields; save a plain array of numbers, one field per column", what));
    case Suits::dimensions:
      fail(path, fmt::format("{} has {} dimensions, a table has 2", what, std::max(0, shape.dimensions)));
    case Suits::empty:
      fail(path, fmt::format("{} is empty ({} x {})", what, shape.size[0], shape.size[1]));
    case Suits::external:
      fail(path, fmt::format("{} keeps its numbers in another file, which is not followed", what));
    case Suits::other_type:
      fail(path, fmt::format("{} does not hold numbers", what));
    default:
      fail(path, fmt::format("{} is damaged", what));
  }
  const std::string filter = unknown_filter(dataset_);
  if (!filter.empty())
    fail(path,
         fmt::format("{} is compressed with {}, which cannot be undone here; save it with compression='gzip'",
                     what, quote(filter)));
  rows_ = static_cast<Index>(shape.size[0]);
  cols_ = static_cast<Index>(shape.size[1]);
  dimensions_ = shape.dimensions;
  const H5 creation(H5Dget_create_plist(dataset_), H5Pclose);
  hsize_t chunk[2] = {0, 0};
  if (H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_chunk(creation, 2, chunk) == dimensions_)
    chunk_rows_ = static_cast<Index>(std::min<hsize_t>(chunk[0], shape.size[0]));
  // Memory is taken for what the shape claims. Deflate, the strongest filter, shrinks at most 1032 times.
  hsize_t file_size = 0;
  if (H5Fget_filesize(file_, &file_size) < 0 ||
      double(rows_) * double(cols_) > 1100.0 * 8 * double(file_size))
    fail(path, fmt::format("{} claims {} x {} numbers, more than a file of {} can hold, so it is damaged",
                           what, rows_, cols_, human_bytes(double(file_size))));
}

double Hdf5Dataset::cpu_seconds(Index n) const {
  // Whole chunks are unpacked even if a few of their rows are wanted; 2 MB/s is far slower than any filter.
  return 10 + 8e-6 * 0.5 * double(n + 2 * chunk_rows_) * double(cols_);
}

void Hdf5Dataset::read(Index begin, Index n, double* out) const {
  const hsize_t start[2] = {static_cast<hsize_t>(begin), 0};
  const hsize_t count[2] = {static_cast<hsize_t>(n), static_cast<hsize_t>(cols_)};
  const H5 file_space(H5Dget_space(dataset_), H5Sclose);
  const H5 memory_space(H5Screate_simple(dimensions_, count, nullptr), H5Sclose);
  if (!file_space.ok() || !memory_space.ok() ||
      H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, nullptr, count, nullptr) < 0 ||
      H5Dread(dataset_, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, out) < 0)
    fail(title_,
         fmt::format("rows {} to {} cannot be read: the file is damaged or was cut off, copy it again",
                     begin + 1, begin + n));
}

std::vector<std::string> suitable_datasets(const std::string& path) {
  const QuietH5 quiet;
  const H5 file = open_file(path);
  return list(file);
}

}  // namespace bochner::io
