#pragma once
#include <string>
#include <variant>
#include <vector>

#include "anndata.hpp"
#include "bochner/core/types.hpp"
#include "dataset.hpp"
#include "h5.hpp"
#include "sparse.hpp"
#include "storage.hpp"

namespace bochner::detail {

// These run in the child process (isolated.hpp): they hand bytes of unknown origin to HDF5.

/// A table in an HDF5 file, open for reading: a numeric dataset or a sparse matrix. InputError explains why not.
class Hdf5Table {
 public:
  Hdf5Table(const std::string& path, const std::string& dataset);

  const std::string& title() const { return title_; }  // "file.h5:/X"
  Index rows() const;
  Index cols() const;
  AnnDataNames names();
  double cpu_seconds(Index n) const;  // more than this for n rows means that HDF5 is going in circles

  /// InputError if these rows cannot be read, or are not what was in the file when it was opened.
  void read(Index begin, Index n, double* out);

 private:
  using Source = std::variant<Hdf5Dataset, Hdf5Sparse>;
  static Source open(hid_t file, const std::string& path, const std::string& name);
  void check_unchanged();

  QuietH5 quiet_;
  H5 file_;
  Unchanged unchanged_;
  std::string path_, name_, title_;
  Source source_;
};

/// Paths of the tables that Hdf5Table opens, sorted.
std::vector<std::string> hdf5_tables(const std::string& path);

}  // namespace bochner::detail
