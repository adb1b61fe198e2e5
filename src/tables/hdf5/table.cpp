#include "table.hpp"

#include <fmt/format.h>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "inside.hpp"
#include "listing.hpp"
#include "src/tables/fail.hpp"

namespace bochner::detail {

namespace {

H5 open_file(const std::string& path) {
  const H5 access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // Locks fail on many network disks, and a reader has no need of them.
  H5Pset_file_locking(access, false, true);
  H5 file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
  if (!file.ok()) fail(path, "this is not an HDF5 file, or it is damaged");
  return file;
}

std::string none(const Hdf5Listing& there) {
  if (!there.elsewhere.empty())
    return fmt::format(
        "the values of {} are not in this file (a virtual dataset, or external storage); write a plain copy, "
        "with "
        "h5py for instance",
        listing(there.elsewhere));
  return "there is no table of numbers in this file";
}

std::string there_are(hid_t file, const std::string& path) {
  const Hdf5Listing there = list_tables(file, path);
  if (there.paths.empty()) return none(there);
  return fmt::format("the tables in it are {}", listing(there.paths));
}

std::string only_dataset(hid_t file, const std::string& path) {
  const bool anndata = has_link(file, "/obs") && has_link(file, "/var");
  if (anndata && has_link(file, "/X")) return "/X";
  const Hdf5Listing there = list_tables(file, path);
  if (there.paths.empty() && there.complete) fail(path, none(there));
  if (!there.complete)
    fail(path,
         fmt::format("the file holds more groups and datasets than are searched for a table; name one, as in "
                     "{}:/group/name",
                     printable(path)));
  if (there.paths.size() > 1)
    fail(path, fmt::format("the file holds {} tables, {}; name one, as in {}:{}", there.paths.size(),
                           listing(there.paths), printable(path), printable(there.paths[0])));
  return there.paths[0];
}

}  // namespace

Hdf5Table::Source Hdf5Table::open(hid_t file, const std::string& path, const std::string& name) {
  H5 object = open_inside(file, name, path);
  if (!object.ok() && has_link(file, name))
    fail(path,
         fmt::format("{} cannot be opened: it is a link to nothing, the file is damaged, or from an HDF5 "
                     "newer than {}.{}; save it with libver='earliest'",
                     quote(name), H5_VERS_MAJOR, H5_VERS_MINOR));
  if (!object.ok()) fail(path, fmt::format("there is no {} in it; {}", quote(name), there_are(file, path)));
  const H5I_type_t type = H5Iget_type(object);
  if (type == H5I_GROUP && is_sparse(object)) return Hdf5Sparse(file, std::move(object), path, name);
  if (type == H5I_GROUP)
    fail(path, fmt::format("{} is a group, not a table; {}", quote(name), there_are(file, path)));
  if (type != H5I_DATASET)
    fail(path, fmt::format("{} is not a table; {}", quote(name), there_are(file, path)));
  Hdf5Dataset dataset(file, std::move(object), path, name);
  if (dataset.rows() == 0 || dataset.cols() == 0)
    fail(path, fmt::format("{} is empty ({} x {})", quote(name), dataset.rows(), dataset.cols()));
  return dataset;
}

Hdf5Table::Hdf5Table(const std::string& path, const std::string& dataset)
    : file_(open_file(path)),
      unchanged_(file_, path),
      path_(path),
      name_(dataset.empty() ? only_dataset(file_, path) : dataset),
      title_(path + ":" + name_),
      source_(open(file_, path, name_)) {}

Index Hdf5Table::rows() const {
  return std::visit([](const auto& s) { return s.rows(); }, source_);
}
Index Hdf5Table::cols() const {
  return std::visit([](const auto& s) { return s.cols(); }, source_);
}

double Hdf5Table::cpu_seconds(Index n) const {
  return std::visit([&](const auto& s) { return s.cpu_seconds(n); }, source_);
}

AnnDataNames Hdf5Table::names() {
  AnnDataNames out = anndata_names(file_, path_, name_, rows(), cols());
  check_unchanged();
  return out;
}

void Hdf5Table::check_unchanged() {
  const auto* dense = std::get_if<Hdf5Dataset>(&source_);
  unchanged_.check(dense ? std::vector<hid_t>{dense->id()} : std::get<Hdf5Sparse>(source_).datasets());
}

void Hdf5Table::read(Index begin, Index n, double* out) {
  const bool read = std::visit([&](auto& s) { return s.read(begin, n, out); }, source_);
  check_unchanged();
  if (!read)
    fail(title_,
         fmt::format("rows {} to {} cannot be read: the file is damaged or was cut off, copy it again",
                     begin + 1, begin + n));
}

std::vector<std::string> hdf5_tables(const std::string& path) {
  const QuietH5 quiet;
  const H5 file = open_file(path);
  return list_tables(file, path).paths;
}

}  // namespace bochner::detail
