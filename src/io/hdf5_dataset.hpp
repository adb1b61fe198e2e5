#pragma once
#include <memory>
#include <string>
#include <vector>

#include "anndata.hpp"
#include "bochner/core/types.hpp"
#include "h5.hpp"

namespace bochner::io {

// These run in the child process (isolated.hpp): they hand bytes of unknown origin to HDF5.

/// A numeric dataset of one or two dimensions, open for reading. InputError explains why not.
class Hdf5Dataset {
 public:
  Hdf5Dataset(const std::string& path, const std::string& dataset);

  const std::string& title() const { return title_; }  // "file.h5:/X"
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  AnnDataNames names() const { return anndata_names(file_, path_, name_, rows_, cols_); }
  double cpu_seconds(Index n) const;  // more than this for n rows means that HDF5 is going in circles
  void read(Index begin, Index n, double* out) const;

 private:
  QuietH5 quiet_;
  H5 file_;
  std::string path_, name_, title_;
  H5 dataset_;
  Index rows_ = 0, cols_ = 0, chunk_rows_ = 0;
  int dimensions_ = 0;
};

/// Paths of the datasets that Hdf5Dataset opens, sorted.
std::vector<std::string> suitable_datasets(const std::string& path);

}  // namespace bochner::io
