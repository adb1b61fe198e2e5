#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bochner/tables/table.hpp"

namespace bochner {

// Numeric datasets of one or two dimensions (one dimension is a single column) in HDF5 files, AnnData's .h5ad
// and its sparse matrices included. Values that are not in the file (virtual and external datasets, chunks that were never
// written and have no fill value, files that change while they are read) are an InputError, not zeros: docs/tables.md.
//
// The HDF5 library trusts the files it opens: a damaged one can make it overrun its buffers, crash or never
// return. Hence a file from outside is opened by a child process (fork) that sends back numbers; if the child
// dies, the caller gets an InputError like for any other bad file. The calling process never runs HDF5 on
// foreign bytes.
//
// Threads: everything here may be called from any thread. HDF5 itself is not safe for threads in every build,
// so this folder makes all of its own calls under one lock; a program that also calls HDF5 directly must not
// do so at the same time. The child inherits that lock's promise at the fork, nothing else.

/// The whole dataset at `dataset`, say "/X". In an AnnData file the matrices /X, /layers/..., /raw/X and /obsm/... bring
/// the names of observations and variables with them; everywhere else rows and columns are numbered. With `dataset`
/// empty it is /X in an AnnData file, and otherwise the file must hold a single suitable one: InputError lists them.
Table read_hdf5(const std::string& path, const std::string& dataset = "");

/// Full paths of the datasets and sparse matrices that read_hdf5 would take, in the order of their names.
std::vector<std::string> hdf5_datasets(const std::string& path);

/// Reads blocks of rows of a dataset that need not fit into memory; the same interface as NpyRows.
class Hdf5Rows {
 public:
  explicit Hdf5Rows(const std::string& path, const std::string& dataset = "");
  ~Hdf5Rows();
  Hdf5Rows(Hdf5Rows&&) noexcept;
  Hdf5Rows& operator=(Hdf5Rows&&) noexcept;

  Index rows() const;
  Index cols() const;

  /// The names in an AnnData file, see read_hdf5; empty if there are none.
  const std::vector<std::string>& ids() const;
  const std::vector<std::string>& columns() const;

  /// Rows begin .. begin + out.rows() - 1; out has cols() columns.
  void read(Index begin, MatrixOut out) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bochner
