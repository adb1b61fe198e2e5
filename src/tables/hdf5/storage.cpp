#include "storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "src/tables/fail.hpp"

namespace bochner::detail {

namespace {

// A filter of this dataset that the library cannot undo, or nothing.
std::string unknown_filter(hid_t creation) {
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

std::vector<hsize_t> extent(hid_t dataset) {
  const H5 space(H5Dget_space(dataset), H5Sclose);
  const int dimensions = space.ok() ? H5Sget_simple_extent_ndims(space) : -1;
  std::vector<hsize_t> out(static_cast<std::size_t>(std::max(0, dimensions)));
  if (!out.empty()) H5Sget_simple_extent_dims(space, out.data(), nullptr);
  return out;
}

enum class Written { all, some, none, unknown };

// Chunks are allocated when something is written to them, and so is the one piece of a contiguous dataset.
Written how_much_written(hid_t dataset, hid_t creation) {
  if (H5Pget_layout(creation) != H5D_CHUNKED)
    return H5Dget_storage_size(dataset) > 0 ? Written::all : Written::none;
  // H5Dget_space_status compares sizes, which says nothing of compressed chunks.
  const std::vector<hsize_t> size = extent(dataset);
  std::vector<hsize_t> chunk(size.size());
  const int dimensions = static_cast<int>(size.size());
  const H5 space(H5Dget_space(dataset), H5Sclose);
  hsize_t there = 0;
  if (size.empty() || H5Pget_chunk(creation, dimensions, chunk.data()) != dimensions ||
      std::count(chunk.begin(), chunk.end(), 0u) > 0 || H5Dget_num_chunks(dataset, space, &there) < 0)
    return Written::unknown;
  double all = 1;
  for (std::size_t d = 0; d < size.size(); ++d)
    all *= double(size[d] / chunk[d]) + (size[d] % chunk[d] != 0 ? 1 : 0);
  return there == 0 ? Written::none : double(there) < all ? Written::some : Written::all;
}

void check_written(hid_t dataset, hid_t creation, const std::string& path, const std::string& what) {
  const Written written = how_much_written(dataset, creation);
  H5D_fill_value_t fill = H5D_FILL_VALUE_ERROR;
  if (written == Written::unknown || H5Pfill_value_defined(creation, &fill) < 0)
    fail(path, fmt::format("{} is damaged", what));
  if (written == Written::none)
    fail(path,
         fmt::format("{} was created, but no value was ever written to it; write the values, and NaN for "
                     "missing values",
                     what));
  if (written == Written::some && fill != H5D_FILL_VALUE_USER_DEFINED)
    fail(path,
         fmt::format("parts of {} were never written, and the file does not say which value they have; write "
                     "all of it, with NaN for missing values, or create it with a fill value",
                     what));
}

bool same_moment(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

// Status of the file behind the identifier, not of its name, which may mean another file by now.
bool status_of(hid_t file, struct stat& status) {
  void* handle = nullptr;
  return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0 && handle &&
         ::fstat(*static_cast<int*>(handle), &status) == 0;
}

}  // namespace

Stored where_stored(hid_t dataset) {
  const H5 creation(H5Dget_create_plist(dataset), H5Pclose);
  if (!creation.ok()) return Stored::unreadable;
  if (H5Pget_layout(creation) == H5D_VIRTUAL) return Stored::by_mapping;
  const int files = H5Pget_external_count(creation);
  return files == 0 ? Stored::in_file : files > 0 ? Stored::in_other_file : Stored::unreadable;
}

void check_stored(hid_t dataset, double count, const std::string& path, const std::string& what) {
  switch (where_stored(dataset)) {
    case Stored::in_file:
      break;
    case Stored::in_other_file:
      fail(path,
           fmt::format("{} keeps its values in another file, which is not followed; write a plain copy, with "
                       "h5repack for instance",
                       what));
    case Stored::by_mapping:
      fail(path,
           fmt::format(
               "{} is a virtual dataset, and where its sources lack values it shows zeros; write a plain "
               "copy, in h5py create_dataset(name, data=virtual[...])",
               what));
    case Stored::unreadable:
      fail(path, fmt::format("{} is damaged", what));
  }
  const H5 creation(H5Dget_create_plist(dataset), H5Pclose), type(H5Dget_type(dataset), H5Tclose);
  const std::string filter = unknown_filter(creation);
  if (!filter.empty())
    fail(path,
         fmt::format("{} is compressed with {}, which cannot be undone here; save it with compression='gzip'",
                     what, quote(filter)));
  if (count == 0) return;
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout != H5D_COMPACT) check_written(dataset, creation, path, what);
  const double needed = count * double(H5Tget_size(type)), there = double(H5Dget_storage_size(dataset));
  // A file that was cut off may say so in its own header, and what lies beyond its end would be read as zeros.
  const H5 file(H5Iget_file_id(dataset), H5Fclose);
  struct stat status {};
  if (layout == H5D_CONTIGUOUS && file.ok() && status_of(file, status)) {
    const haddr_t offset = H5Dget_offset(dataset);
    if (offset == HADDR_UNDEF || double(offset) + needed > double(status.st_size))
      fail(path, fmt::format("{} lies beyond the end of the file, which was cut off; copy it again", what));
  }
  if (layout != H5D_CHUNKED && there < needed)
    fail(path,
         fmt::format(
             "the shape of {} needs {}, but {} of values are stored; the file is damaged, copy it again",
             what, human_bytes(needed), human_bytes(there)));
}

void check_claim(hid_t file, double bytes, const std::string& path, const std::string& what) {
  // Deflate, the strongest filter, shrinks at most 1032 times.
  hsize_t size = 0;
  if (H5Fget_filesize(file, &size) < 0 || bytes > 1100.0 * double(size))
    fail(path, fmt::format("{} claims {} of values, more than a file of {} can hold, so it is damaged", what,
                           human_bytes(bytes), human_bytes(double(size))));
}

Unchanged::Unchanged(hid_t file, std::string path) : file_(file), path_(std::move(path)) {
  if (!status_of(file_, opened_)) fail(path_, "the HDF5 file cannot be watched while it is read");
}

void Unchanged::check(const std::vector<hid_t>& datasets) {
  const bool look_closer = recent_;
  recent_ = std::time(nullptr) - opened_.st_mtim.tv_sec < 3;
  struct stat now {};
  bool changed =
      !status_of(file_, now) || now.st_size != opened_.st_size || !same_moment(now.st_mtim, opened_.st_mtim);
  for (std::size_t i = 0; look_closer && !changed && i < datasets.size(); ++i) {
    const std::vector<hsize_t> before = extent(datasets[i]);
    changed = H5Drefresh(datasets[i]) < 0 || extent(datasets[i]) != before;
  }
  if (changed)
    fail(path_,
         "the file was changed while it was read, so what was read is worthless; start again when nothing "
         "writes to it");
}

}  // namespace bochner::detail
