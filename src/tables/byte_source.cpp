#include "byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"

namespace bochner::detail {

namespace {

namespace fs = std::filesystem;

// Why a path that is not there is not there: the first folder that is missing, or a misspelt file name.
[[noreturn]] void explain_missing(const std::string& path) {
  const fs::path p(path);
  std::error_code error;
  for (fs::path folder = p.parent_path(), child = p; !folder.empty() && folder != child;
       child = folder, folder = folder.parent_path()) {
    if (fs::exists(folder, error)) break;
    if (folder.parent_path().empty() || fs::exists(folder.parent_path(), error))
      throw InputError(fmt::format("{}: there is no folder {}", printable(path), quote(folder.string())));
  }
  std::vector<std::string> names;
  const fs::path folder = p.has_parent_path() ? p.parent_path() : fs::path(".");
  for (fs::directory_iterator it(folder, error), end; !error && it != end && names.size() < 10000;
       it.increment(error))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());  // the order of a folder is arbitrary, that of the answer is not
  throw InputError(fmt::format("{}: there is no such file{}", printable(path),
                               did_you_mean(p.filename().string(), names)));
}

[[noreturn]] void cannot_read(const std::string& path, int error) {
  throw InputError(fmt::format("{}: cannot be read ({})", printable(path), std::strerror(error)));
}

[[noreturn]] void refuse(const std::string& path, const char* why) {
  throw InputError(fmt::format("{}: {}", printable(path), why));
}

// O_NONBLOCK: to open a FIFO would otherwise wait for somebody who writes to it.
int open_for_reading(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd >= 0) return fd;
  const int error = errno;
  if (error == ENOENT || error == ENOTDIR) explain_missing(path);
  if (error == EACCES || error == EPERM) refuse(path, "no permission to read this file");
  if (error == ENXIO) refuse(path, "this is a socket, which cannot be read; write the content to a file");
  cannot_read(path, error);
}

// A FIFO has a name in a folder and perhaps nobody at its other end. An anonymous pipe (a shell's | and <( )) comes with a
// writer, or with what that has left.
void await_writer(int fd, const std::string& path) {
  constexpr int milliseconds = 5000;
  struct statfs where {};
  if (::fstatfs(fd, &where) == 0 && where.f_type != PIPEFS_MAGIC) {
    pollfd wait{fd, POLLIN, 0};
    int ready = 0;
    while ((ready = ::poll(&wait, 1, milliseconds)) < 0 && errno == EINTR) {
    }
    if (ready == 0)
      refuse(
          path,
          "this is a pipe (FIFO), and nothing was written to it for 5 s; start the program that writes to it "
          "first, or write to a file");
  }
  ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
}

template <class Read>
std::size_t read_fully(const std::string& path, std::size_t n, Read&& read_some) {
  std::size_t done = 0;
  while (done < n) {
    const ssize_t got = read_some(done, std::min<std::size_t>(n - done, 1u << 30));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(path, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

struct FileSource : ByteSource {
  explicit FileSource(InputFile f) : file(std::move(f)) {}
  std::size_t read(char* to, std::size_t n) override { return file.read(to, n); }
  InputFile file;
};

struct MemorySource : ByteSource {
  explicit MemorySource(std::string_view b) : rest(b) {}
  std::size_t read(char* to, std::size_t n) override {
    n = std::min(n, rest.size());
    std::copy_n(rest.data(), n, to);
    rest.remove_prefix(n);
    return n;
  }
  std::string_view rest;
};

struct HeadThenRest : ByteSource {
  HeadThenRest(std::string h, std::unique_ptr<ByteSource> r) : head(std::move(h)), rest(std::move(r)) {}
  std::size_t read(char* to, std::size_t n) override {
    const std::size_t from_head = std::min(n, head.size() - used);
    std::copy_n(head.data() + used, from_head, to);
    used += from_head;
    return from_head + (from_head < n ? rest->read(to + from_head, n - from_head) : 0);
  }
  std::string head;
  std::unique_ptr<ByteSource> rest;
  std::size_t used = 0;
};

}  // namespace

InputFile::InputFile(const std::string& path, Pipes pipes) : path_(path) {
  if (path.empty()) throw InputError("the name of the file to read is empty");
  if (path.find('\0') != std::string::npos) refuse(path, "the name of the file holds a NUL character");
  fd_ = open_for_reading(path);
  try {
    struct stat status {};
    if (::fstat(fd_, &status) != 0) cannot_read(path, errno);
    if (S_ISDIR(status.st_mode)) refuse(path, "this is a folder, name a file in it");
    regular_ = S_ISREG(status.st_mode);
    if (!regular_ && !S_ISFIFO(status.st_mode))
      refuse(path, "this is a device, which may have no end; name a file, or a pipe such as /dev/stdin");
    if (!regular_ && pipes == Pipes::refused)
      refuse(path, "this is a pipe, and this format is read from files only; write the content to a file");
    if (!regular_) await_writer(fd_, path);
    size_ = regular_ ? static_cast<std::uint64_t>(status.st_size) : 0;
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

InputFile::InputFile(InputFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      regular_(other.regular_),
      size_(other.size_),
      taken_(other.taken_) {}

InputFile::~InputFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::size_t InputFile::read(char* to, std::size_t n) {
  const std::size_t got =
      read_fully(path_, n, [&](std::size_t done, std::size_t want) { return ::read(fd_, to + done, want); });
  taken_ += got;
  if (!regular_ && taken_ > longest_pipe)
    throw InputError(fmt::format(
        "{}: more than {} came through this pipe, and it may have no end; write the content to a file",
        printable(path_), human_bytes(double(longest_pipe))));
  return got;
}

std::size_t InputFile::read_at(std::uint64_t offset, char* to, std::size_t n) const {
  return read_fully(path_, n, [&](std::size_t done, std::size_t want) {
    return ::pread(fd_, to + done, want, static_cast<off_t>(offset + done));
  });
}

std::unique_ptr<ByteSource> file_bytes(InputFile file) {
  return std::make_unique<FileSource>(std::move(file));
}

std::unique_ptr<ByteSource> memory_bytes(std::string_view bytes) {
  return std::make_unique<MemorySource>(bytes);
}

PeekedSource peek(std::unique_ptr<ByteSource> bytes, std::size_t n) {
  PeekedSource out;
  out.head.resize(n);
  out.head.resize(bytes->read(out.head.data(), n));
  out.bytes = std::make_unique<HeadThenRest>(out.head, std::move(bytes));
  return out;
}

PeekedSource peek_through_gzip(std::unique_ptr<ByteSource> bytes, const std::string& name) {
  PeekedSource outer = peek(std::move(bytes));
  if (!outer.head.starts_with("\x1f\x8b")) return outer;
  return peek(gunzip(std::move(outer.bytes), name));
}

std::string read_all(ByteSource& bytes) {
  std::string out;
  for (std::size_t step = 1u << 16;; step = std::min<std::size_t>(2 * step, 1u << 26)) {
    const std::size_t before = out.size();
    out.resize(before + step);
    const std::size_t got = bytes.read(out.data() + before, step);
    out.resize(before + got);
    if (got < step) return out;
  }
}

}  // namespace bochner::detail
