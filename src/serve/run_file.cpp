#include "run_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

namespace bochner::detail {

namespace {

std::string version_of(const struct stat& s) {
  return fmt::format("{:x}-{:x}-{:x}-{:x}", s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
}

/// The file that is open, if it is one of those; closes it.
std::optional<RunFile> read_open(int fd, std::size_t most) {
  struct stat s {};
  if (::fstat(fd, &s) != 0 || !S_ISREG(s.st_mode) || static_cast<std::uint64_t>(s.st_size) > most) return {};
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  RunFile out{.version = version_of(s),
              .age = double(now.tv_sec - s.st_mtim.tv_sec) + 1e-9 * double(now.tv_nsec - s.st_mtim.tv_nsec)};
  out.age = std::max(out.age, 0.0);
  out.text.resize(static_cast<std::size_t>(s.st_size));
  std::size_t got = 0;
  while (got < out.text.size()) {
    const ssize_t n = ::read(fd, out.text.data() + got, out.text.size() - got);
    if (n <= 0) break;
    got += static_cast<std::size_t>(n);
  }
  out.text.resize(got);
  return out;
}

}  // namespace

std::optional<RunFile> read_run_file(const std::string& path, std::size_t most) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return {};
  std::optional<RunFile> out = read_open(fd, most);
  ::close(fd);
  return out;
}

std::string file_version(const std::string& path) {
  struct stat s {};
  return ::lstat(path.c_str(), &s) == 0 && S_ISREG(s.st_mode) ? version_of(s) : "";
}

}  // namespace bochner::detail
