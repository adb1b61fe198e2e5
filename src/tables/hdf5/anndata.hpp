#pragma once
#include <hdf5.h>

#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner::detail {

/// The names that an AnnData file (.h5ad) keeps beside its matrices: those of the rows in the group /obs, those of the
/// columns in /var. Empty when the file is not AnnData's.
struct AnnDataNames {
  std::vector<std::string> ids, columns;
};

/// For the matrix at `dataset`: /X, /layers/..., /raw/X or /obsm/... . InputError if names repeat, or if there are more or
/// fewer of them than rows or columns. Runs in the child process (isolated.hpp).
AnnDataNames anndata_names(hid_t file, const std::string& path, const std::string& dataset, Index rows,
                           Index cols);

}  // namespace bochner::detail
