#include "bochner/tables/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
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

constexpr std::size_t buffer_size = 1u << 18;

std::string reason(int error) {
  switch (error) {
    case ENOSPC:
      return "the disk is full";
    case EDQUOT:
      return "the disk quota is used up";
    case EFBIG:
      return "the file would exceed the size limit";
    case EACCES:
    case EPERM:
      return "no permission";
    case EROFS:
      return "the disk is read-only";
    default:
      return std::strerror(error);
  }
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(path_) {
  if (path_.empty()) throw WriteError("the name of the file to write is empty");
  if (path_.find('\0') != std::string::npos)
    throw WriteError(fmt::format("{}: the name of the file holds a NUL character", printable(path_)));
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    throw WriteError(
        fmt::format("{}: this is a folder, so no file of that name can be written", printable(path_)));
  std::error_code error;
  if (exists && !S_ISREG(status.st_mode)) {  // a device or a pipe
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd_ < 0) fail("cannot be written", errno);
    return;
  }
  if (fs::is_symlink(fs::symlink_status(path_, error))) {
    const fs::path real = fs::weakly_canonical(path_, error);
    if (!error) target_ = real.string();
  }
  const std::string folder = folder_of(target_);
  if (!fs::is_directory(folder, error))
    throw WriteError(fmt::format("{}: there is no folder {}", printable(path_), quote(folder)));
  // mkstemp would make a file that nobody else may read; the mode must follow the umask, as for any new file.
  const std::string name = fs::path(target_).filename().string();
  for (int attempt = 0; fd_ < 0; ++attempt) {
    temporary_ = fmt::format("{}/.{}.{}-{}.part", folder, name.substr(0, 200), ::getpid(), attempt);
    fd_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd_ < 0 && (errno != EEXIST || attempt > 1000)) {
      const int why = errno;
      temporary_.clear();
      fail("cannot be written", why);
    }
  }
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what, int error) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
  const bool direct = temporary_.empty();
  if (!direct) ::unlink(temporary_.c_str());
  temporary_.clear();
  throw WriteError(fmt::format("{}: {} ({}){}", printable(path_), what, reason(error),
                               direct ? "" : "; nothing of it was left behind"));
}

void AtomicFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= buffer_size) flush();
}

void AtomicFile::flush() {
  if (fd_ < 0) throw WriteError(fmt::format("{}: written after it was closed", printable(path_)));
  for (std::size_t done = 0; done < buffer_.size();) {
    const ssize_t n = ::write(fd_, buffer_.data() + done, buffer_.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("could not be written", errno);
    done += static_cast<std::size_t>(n);
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  // Some file systems report a full disk only here; devices and pipes have nothing to flush (EINVAL).
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) fail("could not be written", errno);
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0 && errno != EINTR) fail("could not be written", errno);
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("could not be put in place", errno);
  temporary_.clear();
  // The new name survives a power cut once the folder is on the disk too. The file is complete either way.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    ::fsync(folder);
    ::close(folder);
  }
}

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

void make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) return;
  if (!error) error = std::make_error_code(std::errc::file_exists);
  throw WriteError(fmt::format("{}: the folder cannot be made ({})", printable(path), reason(error.value())));
}

}  // namespace bochner
