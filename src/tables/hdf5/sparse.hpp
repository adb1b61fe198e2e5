#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "dataset.hpp"

namespace bochner::detail {

// These run in the child process (isolated.hpp).

/// Whether a group is laid out as a compressed sparse matrix: its members are no tables of their own.
bool is_sparse(hid_t group);

/// ... and says of which kind, so that it can be read.
bool is_readable_sparse(hid_t group);

/// A sparse matrix as AnnData writes it: a group with the datasets data, indices and indptr, the attributes encoding-type
/// (csr_matrix or csc_matrix; h5sparse_format in old files) and shape. Entries that it does not list are zeros; entries that
/// it lists several times are summed, as in SciPy. InputError if the three arrays contradict each other.
class Hdf5Sparse {
 public:
  Hdf5Sparse(hid_t file, H5 group, const std::string& path, const std::string& name);

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  std::vector<hid_t> datasets() const { return {data_->id(), indices_->id()}; }
  double cpu_seconds(Index n) const;

  /// Rows begin .. begin + n - 1, dense. A matrix compressed by columns is held in memory from the first call on.
  bool read(Index begin, Index n, double* out);

 private:
  struct Entries {
    std::vector<std::int64_t> at;  // the other index of each
    std::vector<double> values;
  };
  void read_offsets(const Hdf5Dataset& indptr);
  bool read_entries(std::int64_t begin, std::int64_t end, Entries& out) const;
  bool turn_to_rows();
  [[noreturn]] void damaged(const std::string& why) const;

  std::string path_, name_;
  bool by_columns_ = false;
  Index rows_ = 0, cols_ = 0;
  std::optional<Hdf5Dataset> data_, indices_;
  std::vector<std::int64_t> offsets_;  // of the rows, or columns, among the entries; one more than there are
  std::optional<Entries> by_rows_;     // of a matrix compressed by columns, in the order of the rows
};

}  // namespace bochner::detail
