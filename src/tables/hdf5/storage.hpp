#pragma once
#include <sys/stat.h>

#include <string>
#include <vector>

#include "h5.hpp"

namespace bochner::detail {

// Where the values of a dataset are. HDF5 gives zeros, or its fill value, for everything that is not there. These run in
// the child process (isolated.hpp).

enum class Stored { in_file, in_other_file, by_mapping, unreadable };

/// Asks nothing that would make HDF5 open other files.
Stored where_stored(hid_t dataset);

/// InputError unless all values of a dataset of `count` of them are in the file: it is neither virtual nor external, no
/// part of it was never written (unless the file states the fill value that such parts have), its storage is as large as
/// its shape says, and its filters can be undone here. `what` names the dataset in messages.
void check_stored(hid_t dataset, double count, const std::string& path, const std::string& what);

/// InputError if a file of this size cannot hold so many bytes: memory is taken for what a shape claims.
void check_claim(hid_t file, double bytes, const std::string& path, const std::string& what);

/// The file as it was when it was opened. A file that is written to while HDF5 reads it gives anything, zeros for what was
/// cut off among others.
class Unchanged {
 public:
  Unchanged(hid_t file, std::string path);

  /// After reading from `datasets`: InputError if the file is another by now.
  void check(const std::vector<hid_t>& datasets);

 private:
  hid_t file_;
  std::string path_;
  struct stat opened_ {};
  bool recent_ = true;  // the last change may be so new that another one hides behind the same time stamp
};

}  // namespace bochner::detail
