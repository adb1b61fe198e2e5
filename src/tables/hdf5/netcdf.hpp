#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "h5.hpp"

namespace bochner::detail {

// NetCDF-4 files, which are HDF5 files with dimension scales: what xarray, netCDF4, h5netcdf and ArviZ open. libnetcdf would bring
// libcurl, libxml2 and others into every package, and a second user of HDF5's global state; HDF5's own library for scales
// (hdf5_hl) is not part of the wheels. What they add is four attributes, which are written here [HDF5 Dimension Scale
// Specification; NetCDF-4 file format].
//
// Every failure throws WriteError, without the name of the file. HDF5 may crash on a full disk: call this in a child process (subprocess.hpp).

enum class NetcdfType { real, integer };

/// A variable to be filled part by part.
class NetcdfVariable {
 public:
  NetcdfVariable(H5 dataset, NetcdfType type, std::vector<Index> shape)
      : dataset_(std::move(dataset)), type_(type), shape_(std::move(shape)) {}

  /// All values.
  void put(const double* values);
  /// Those at the first indices `at`: of (chain, draw, sample), {0, 3} is draw 3 of chain 0, of all samples. Integers are
  /// given as doubles, too.
  void put(const std::vector<Index>& at, const double* values);
  void attribute(const std::string& name, const std::string& text);
  void attribute(const std::string& name, double value);

  hid_t id() const { return dataset_; }
  Index size_behind(std::size_t dims) const;  // values at fixed first `dims` indices

 private:
  H5 dataset_;
  NetcdfType type_;
  std::vector<Index> shape_;
};

struct NetcdfState;

/// A group with dimensions of its own. The file must outlive it.
class NetcdfGroup {
 public:
  NetcdfGroup(NetcdfState& file, H5 group);
  NetcdfGroup(NetcdfGroup&&) noexcept;
  ~NetcdfGroup();

  /// A dimension and its coordinate variable.
  void dimension(const std::string& name, const std::vector<std::string>& labels);
  void dimension(const std::string& name, const std::vector<std::int64_t>& numbers);
  void dimension(const std::string& name, Index size);  // 0 .. size - 1
  bool has_dimension(const std::string& name) const;

  NetcdfVariable variable(const std::string& name, const std::vector<std::string>& dims,
                          NetcdfType type = NetcdfType::real);
  void texts(const std::string& name, const std::string& dim, const std::vector<std::string>& values);

  void attribute(const std::string& name, const std::string& text);
  void attribute(const std::string& name, std::int64_t value);
  void attribute(const std::string& name, double value);

 private:
  void attach(hid_t dataset, const std::vector<std::string>& dims);

  NetcdfState& file_;
  H5 group_;
  struct Scales;
  std::unique_ptr<Scales> scales_;
};

/// The file; `finish` writes what is known only at the end.
class NetcdfFile {
 public:
  explicit NetcdfFile(const std::string& path);
  ~NetcdfFile();

  NetcdfGroup root();
  NetcdfGroup group(const std::string& name);
  void finish();

 private:
  std::unique_ptr<NetcdfState> state_;
};

}  // namespace bochner::detail
