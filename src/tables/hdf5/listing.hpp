#pragma once
#include <string>
#include <vector>

#include "h5.hpp"

namespace bochner::detail {

/// What a file offers as a table: numeric datasets of one or two dimensions, and sparse matrices (not their parts).
struct Hdf5Listing {
  std::vector<std::string> paths;      // full, sorted
  std::vector<std::string> elsewhere;  // datasets whose values are not in this file
  bool complete = true;                // false: the file holds more than was looked at
};

/// In time linear in the number of groups and datasets; gives up behind 20000 of them, or 100 groups deep. Links are not
/// followed, except hard ones. Runs in the child process (isolated.hpp).
Hdf5Listing list_tables(hid_t file, const std::string& path);

}  // namespace bochner::detail
