#pragma once
#include <string>

namespace bochner {

/// Keeps other runs out of a folder while it lives: an exclusive lock on the hidden file `.lock`, which names the process.
/// The system releases it when the process ends, however that happens, so there is never a stale lock to remove by hand.
/// Where the file system knows no locks there is none.
class FolderLock {
 public:
  /// WriteError that names the process if another one holds the lock, or if `.lock` cannot be made.
  explicit FolderLock(const std::string& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace bochner
