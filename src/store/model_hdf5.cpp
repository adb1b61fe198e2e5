#include "model_hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "model_wire.hpp"
#include "src/tables/hdf5/h5.hpp"
#include "src/tables/hdf5/storage.hpp"

namespace bochner::detail {

namespace {

// HDF5's "core" driver keeps the file in memory: nothing but verified bytes is ever parsed, and what is
// written goes to the disk through AtomicFile, in one piece.
constexpr std::size_t growth = std::size_t{1} << 16;

template <class Id>
Id&& must(Id&& id) {
  if (id < 0) throw std::runtime_error("the HDF5 library could not build the model file in memory");
  return std::forward<Id>(id);
}

H5 text_type(std::size_t length) {
  H5 type(must(H5Tcopy(H5T_C_S1)), H5Tclose);
  must(H5Tset_size(type, std::max<std::size_t>(1, length)));  // HDF5 has no strings of length 0
  must(H5Tset_strpad(type, H5T_STR_NULLPAD));
  must(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

void put(hid_t group, const std::string& name, hid_t file_type, hid_t memory_type,
         const std::vector<hsize_t>& shape, const void* data) {
  const H5 space(
      must(shape.empty() ? H5Screate(H5S_SCALAR)
                         : H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr)),
      H5Sclose);
  const H5 creation(must(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  must(H5Pset_obj_track_times(creation, false));  // or the same content would give other bytes tomorrow
  const H5 dataset(
      must(H5Dcreate2(group, name.c_str(), file_type, space, H5P_DEFAULT, creation, H5P_DEFAULT)), H5Dclose);
  const bool empty = std::find(shape.begin(), shape.end(), hsize_t{0}) != shape.end();
  if (!empty) must(H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
}

/// Large matrices of numbers that single precision holds exactly take half the room; a reader gets the same doubles.
hid_t matrix_type(const Matrix& x) {
  constexpr Index large = 65536;
  const bool single = x.size() >= large && x == x.cast<float>().cast<double>();
  return single ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
}

void put_group(hid_t group, const ModelGroup& content);

struct Put {
  hid_t group;
  const std::string& name;

  void operator()(double x) const { put(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, &x); }
  void operator()(std::int64_t x) const { put(group, name, H5T_STD_I64LE, H5T_NATIVE_INT64, {}, &x); }
  void operator()(const std::string& x) const {
    const H5 type = text_type(x.size());
    put(group, name, type, type, {}, x.c_str());
  }
  void operator()(const Vector& x) const {
    put(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {static_cast<hsize_t>(x.size())}, x.data());
  }
  void operator()(const Matrix& x) const {
    put(group, name, matrix_type(x), H5T_NATIVE_DOUBLE,
        {static_cast<hsize_t>(x.rows()), static_cast<hsize_t>(x.cols())}, x.data());
  }
  void operator()(const std::vector<std::int64_t>& x) const {
    put(group, name, H5T_STD_I64LE, H5T_NATIVE_INT64, {x.size()}, x.data());
  }
  void operator()(const std::vector<std::string>& x) const {
    std::size_t width = 1;
    for (const std::string& text : x) width = std::max(width, text.size());
    std::string cells(width * x.size(), '\0');
    for (std::size_t i = 0; i < x.size(); ++i)
      std::copy(x[i].begin(), x[i].end(), cells.begin() + std::ptrdiff_t(i * width));
    const H5 type = text_type(width);
    put(group, name, type, type, {x.size()}, cells.data());
  }
  void operator()(const ModelGroup& x) const {
    const H5 creation(must(H5Pcreate(H5P_GROUP_CREATE)), H5Pclose);
    must(H5Pset_obj_track_times(creation, false));
    must(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    const H5 child(must(H5Gcreate2(group, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT)), H5Gclose);
    put_group(child, x);
  }
};

void put_group(hid_t group, const ModelGroup& content) {
  for (const ModelEntry& entry : content.entries()) std::visit(Put{group, entry.name}, entry.value);
}

// HDF5 wants a name for a file in memory, and refuses an image if a file of that name can be opened: one that never can.
constexpr const char* nowhere = "/dev/null/model";

[[noreturn]] void damaged(const std::string& name, std::string_view entry) {
  throw InputError(fmt::format("{}: the entry {} of the model cannot be read; the file is damaged",
                               printable(name), quote(entry)));
}

/// What may still be read: our files hold every number of their content once, uncompressed, so content larger than the file
/// (twice as large where numbers are in single precision) is a trap (a fill value, a chunk compressed a thousandfold, one dataset behind many links).
struct Budget {
  std::size_t bytes;
  void take(std::size_t count, std::size_t each, const std::string& name, const std::string& entry) {
    if (each > 0 && count > bytes / each) damaged(name, entry);
    bytes -= count * each;
  }
};

ModelGroup get_group(hid_t group, const std::string& name, int depth, Budget& budget,
                     const std::string& without = "");

ModelValue get_dataset(hid_t dataset, const std::string& name, const std::string& entry, Budget& budget) {
  const H5 space(H5Dget_space(dataset), H5Sclose), type(H5Dget_type(dataset), H5Tclose);
  const int dimensions = space.ok() ? H5Sget_simple_extent_ndims(space) : -1;
  if (!type.ok() || dimensions < 0 || dimensions > 2) damaged(name, entry);
  if (where_stored(dataset) != Stored::in_file)
    damaged(name, entry);  // or the content of any file would be shown
  hsize_t shape[2] = {1, 1};
  if (dimensions > 0 && H5Sget_simple_extent_dims(space, shape, nullptr) != dimensions) damaged(name, entry);
  constexpr hsize_t most = hsize_t{1} << 57;
  if (shape[0] > most || (shape[0] > 0 && shape[1] > most / shape[0])) damaged(name, entry);
  const auto count = static_cast<std::size_t>(shape[0] * shape[1]);
  const auto read = [&](hid_t memory_type, void* to) {
    if (count > 0 && H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) < 0)
      damaged(name, entry);
  };
  switch (H5Tget_class(type)) {
    case H5T_FLOAT: {
      budget.take(count, H5Tget_size(type) == sizeof(float) ? sizeof(float) : sizeof(double), name, entry);
      Matrix values(static_cast<Index>(shape[0]), static_cast<Index>(shape[1]));
      read(H5T_NATIVE_DOUBLE, values.data());
      if (dimensions == 0) return values(0, 0);
      if (dimensions == 1) return Vector(values.col(0));
      return values;
    }
    case H5T_INTEGER: {
      budget.take(count, sizeof(std::int64_t), name, entry);
      std::vector<std::int64_t> values(count);
      read(H5T_NATIVE_INT64, values.data());
      if (dimensions == 0) return values[0];
      if (dimensions == 1) return values;
      damaged(name, entry);
    }
    case H5T_STRING: {
      if (dimensions == 2 || H5Tis_variable_str(type) != 0) damaged(name, entry);
      const std::size_t width = H5Tget_size(type);
      if (width == 0) damaged(name, entry);
      budget.take(count, width, name, entry);
      std::string cells(width * count, '\0');
      read(type, cells.data());
      std::vector<std::string> values(count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::string_view cell = std::string_view(cells).substr(i * width, width);
        values[i] = cell.substr(0, cell.find('\0'));
      }
      if (dimensions == 0) return values[0];
      return values;
    }
    default:
      damaged(name, entry);
  }
}

herr_t collect(hid_t, const char* name, const H5L_info_t* link, void* names) {
  if (link->type != H5L_TYPE_HARD)
    return -1;  // our files have no links into other files, nor back into themselves
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

ModelGroup get_group(hid_t group, const std::string& name, int depth, Budget& budget,
                     const std::string& without) {
  std::vector<std::string> entries;
  hsize_t start = 0;
  if (depth > deepest_group ||
      H5Literate(group, H5_INDEX_CRT_ORDER, H5_ITER_INC, &start, collect, &entries) < 0 ||
      entries.size() > most_entries)
    damaged(name, "/");
  budget.take(entries.size(), entry_bytes, name, "/");
  ModelGroup content;
  for (const std::string& entry : entries) {
    if (entry == without) continue;
    const H5 object(H5Oopen(group, entry.c_str(), H5P_DEFAULT), H5Oclose);
    const H5I_type_t kind = object.ok() ? H5Iget_type(object) : H5I_BADID;
    try {
      if (kind == H5I_GROUP)
        content.set(entry, get_group(object, name, depth + 1, budget));
      else if (kind == H5I_DATASET)
        content.set(entry, get_dataset(object, name, entry, budget));
      else
        damaged(name, entry);
    } catch (const std::invalid_argument&) {
      damaged(name, entry);
    } catch (const std::bad_alloc&) {
      damaged(name, entry);
    }
  }
  return content;
}

}  // namespace

std::string to_hdf5(const ModelGroup& content) {
  const auto lock = lock_hdf5();
  const QuietH5 quiet;
  const H5 creation(must(H5Pcreate(H5P_FILE_CREATE)), H5Pclose),
      access(must(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose);
  must(H5Pset_userblock(creation, model_header_size));
  must(H5Pset_obj_track_times(creation, false));  // the root group
  must(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  must(H5Pset_fapl_core(access, growth, false));
  // Readable by every HDF5 since 1.8. Not a superblock with a checksum: H5Fget_file_image changes a byte of it and
  // leaves the sum as it was (1.10).
  must(H5Pset_libver_bounds(access, H5F_LIBVER_EARLIEST, H5F_LIBVER_V18));
  const H5 file(must(H5Fcreate(nowhere, H5F_ACC_TRUNC, creation, access)), H5Fclose);
  put_group(file, content);
  must(H5Fflush(file, H5F_SCOPE_GLOBAL));
  const ssize_t size = must(H5Fget_file_image(file, nullptr, 0));  // without the user block
  std::string image(model_header_size + static_cast<std::size_t>(size), '\0');
  must(H5Fget_file_image(file, image.data() + model_header_size, static_cast<std::size_t>(size)));
  return image;
}

namespace {

/// In the child: HDF5 crashes on some damaged files, and on others it goes in circles.
ModelGroup parse(std::string_view bytes, const std::string& name, const std::string& without) {
  const QuietH5 quiet;
  const H5 access(must(H5Pcreate(H5P_FILE_ACCESS)), H5Pclose);
  must(H5Pset_fapl_core(access, growth, false));
  must(H5Pset_file_image(access, const_cast<char*>(bytes.data()), bytes.size()));  // copied
  const H5 file(H5Fopen(nowhere, H5F_ACC_RDONLY, access), H5Fclose);
  if (!file.ok()) damaged(name, "/");
  const H5 root(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  if (!root.ok()) damaged(name, "/");
  Budget budget{bytes.size()};
  return get_group(root, name, 0, budget, without);
}

}  // namespace

ModelGroup from_hdf5(std::string_view bytes, const std::string& name, const std::string& without) {
  auto lock = lock_hdf5();
  Isolated child([&](Channel& channel) {
    limit_cpu_seconds(10 + 1e-7 * double(bytes.size()));
    limit_seconds(120 + 1e-6 * double(bytes.size()));
    std::string complaint;
    try {
      const ModelGroup content = parse(bytes, name, without);
      if (channel.send("")) send_group(channel, content);
      return;
    } catch (const InputError& error) {
      complaint = error.what();
    } catch (const std::bad_alloc&) {
      complaint = fmt::format("{}: there is not enough memory to read the model", printable(name));
    }
    channel.send(complaint);
  });
  lock.unlock();
  std::string complaint;
  constexpr std::size_t longest = 4096;
  if (!child.channel().receive(complaint, longest))
    throw InputError(fmt::format(
        "{}: the HDF5 library broke down on this model, so the file is damaged; copy it again or refit",
        printable(name)));
  if (!complaint.empty()) throw InputError(printable(complaint, longest));
  if (std::optional<ModelGroup> content = receive_group(child.channel(), 2 * bytes.size()))
    return std::move(*content);
  damaged(name, "/");
}

}  // namespace bochner::detail
