#include "bochner/run/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner {

namespace {

namespace fs = std::filesystem;

/// The file that was locked may have been removed by its holder between open and flock; then it is nobody's any more.
bool is_at(int fd, const std::string& path) {
  struct stat ours {
  }, there{};
  return ::fstat(fd, &ours) == 0 && ::stat(path.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
         ours.st_dev == there.st_dev;
}

/// "process 123", or "another process" if the file does not say.
std::string holder(int fd) {
  char text[32] = {};
  const ssize_t n = ::pread(fd, text, sizeof text - 1, 0);
  const std::string digits(text, n > 0 ? std::strspn(text, "0123456789") : 0);
  return digits.empty() ? "another process" : "process " + digits;
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) : path_((fs::path(folder) / ".lock").string()) {
  for (;;) {
    fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (fd_ < 0 && errno == EACCES)  // what a killed run of another user has left can be locked all the same
      fd_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd_ < 0)
      throw WriteError(
          fmt::format("{}: the folder cannot be written to ({})", printable(folder), std::strerror(errno)));
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
      const bool taken = errno == EWOULDBLOCK;
      const std::string who = taken ? holder(fd_) : "";
      if (taken) {
        ::close(fd_);
        throw WriteError(
            fmt::format("{}: {} is writing a run into this folder; wait for it, or name another folder",
                        printable(folder), who));
      }
      return;  // no locks here
    }
    if (is_at(fd_, path_)) break;
    ::close(fd_);
  }
  const std::string text = fmt::format("{}\n", ::getpid());
  // A full disk is noticed by the files of the run; the lock holds without its text.
  if (::ftruncate(fd_, 0) == 0 && ::write(fd_, text.data(), text.size()) < 0) return;
}

FolderLock::~FolderLock() {
  ::unlink(path_.c_str());  // while it is held: whoever has opened it sees that it is gone
  ::close(fd_);
}

}  // namespace bochner
