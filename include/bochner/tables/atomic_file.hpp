#pragma once
#include <string>
#include <string_view>

namespace bochner {

/// A file that appears whole or not at all: bytes go to a hidden file in the same folder, `commit` flushes
/// them to the disk and renames it into place. Without a commit (an exception, an early return) nothing is
/// left behind and an older file of that name is untouched. Every failure throws a WriteError of one
/// sentence. Devices and pipes such as /dev/stdout cannot be renamed over and are written directly; a
/// symbolic link is followed.
///
///     AtomicFile file("run/latent.csv");
///     file.write("id,x\n");
///     file.commit();
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void flush();
  [[noreturn]] void fail(const char* what, int error);

  std::string path_;       // as the user wrote it, for messages
  std::string target_;     // links resolved
  std::string temporary_;  // empty when writing directly
  std::string buffer_;
  int fd_ = -1;
};

/// The whole of `bytes` as the file `path`, atomically.
void write_file(const std::string& path, std::string_view bytes);

/// Makes the folder and those above it, if they are not there yet; WriteError if that is impossible.
void make_folder(const std::string& path);

}  // namespace bochner
