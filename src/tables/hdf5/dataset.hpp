#pragma once
#include <string>

#include "bochner/core/types.hpp"
#include "h5.hpp"

namespace bochner::detail {

// These run in the child process (isolated.hpp): they hand bytes of unknown origin to HDF5.

/// A numeric dataset of one or two dimensions. InputError explains why not.
class Hdf5Dataset {
 public:
  /// `name` is how the dataset is called in messages, those about `path`.
  Hdf5Dataset(hid_t file, H5 dataset, const std::string& path, const std::string& name);

  hid_t id() const { return dataset_; }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  int dimensions() const { return dimensions_; }
  bool integers() const;
  double cpu_seconds(Index n) const;  // more than this for n rows means that HDF5 is going in circles

  // Rows begin .. begin + n - 1. False if HDF5 cannot.
  bool read(Index begin, Index n, double* out) const;
  bool read(Index begin, Index n, std::int64_t* out) const;

 private:
  bool read_as(hid_t type, Index begin, Index n, void* out) const;

  H5 dataset_;
  Index rows_ = 0, cols_ = 0, chunk_rows_ = 0;
  int dimensions_ = 0;
};

/// Whether the type and the shape of a dataset are those of a table with at least one entry, kept in this file.
bool is_table(hid_t dataset);

}  // namespace bochner::detail
