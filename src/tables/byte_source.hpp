#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace bochner::detail {

/// Bytes in order, from wherever they come. Failures throw an InputError that names the file.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::size_t read(char* to,
                           std::size_t n) = 0;  // as many as there are, up to n; fewer only at the end
};

/// Whether a pipe will do where a file is expected. Formats that are read here and there need a file.
enum class Pipes { accepted, refused };

/// A pipe gives this many bytes at most: whoever writes into it may never stop.
inline constexpr std::uint64_t longest_pipe = std::uint64_t{1} << 31;

/// The only place that opens files of the user for reading: a file that exists, or a pipe that somebody writes to
/// (/dev/stdin, a process substitution, a FIFO). Devices, sockets and folders are refused, and so is a FIFO that nobody
/// writes to within a few seconds. InputError explains why.
class InputFile {
 public:
  explicit InputFile(const std::string& path, Pipes pipes = Pipes::accepted);
  ~InputFile();
  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&&) = delete;

  const std::string& path() const { return path_; }
  bool regular() const { return regular_; }  // has a size and can be read anywhere; a pipe cannot
  std::uint64_t size() const { return size_; }
  std::size_t read(char* to,
                   std::size_t n);  // next bytes, fewer only at the end; InputError behind longest_pipe
  std::size_t read_at(std::uint64_t offset, char* to, std::size_t n) const;  // safe from many threads

 private:
  std::string path_;
  int fd_ = -1;
  bool regular_ = false;
  std::uint64_t size_ = 0, taken_ = 0;  // taken: bytes read so far
};

std::unique_ptr<ByteSource> file_bytes(InputFile file);
std::unique_ptr<ByteSource> memory_bytes(std::string_view bytes);  // does not own them

/// The content of a gzip stream (several members in a row are one content, as bgzip writes them).
std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed, const std::string& name);

/// A source whose first bytes have been looked at and will be read again.
struct PeekedSource {
  std::string head;  // up to `n` first bytes
  std::unique_ptr<ByteSource> bytes;
};
PeekedSource peek(std::unique_ptr<ByteSource> bytes, std::size_t n = 4096);

/// peek, and again behind gzip if the bytes begin like gzip.
PeekedSource peek_through_gzip(std::unique_ptr<ByteSource> bytes, const std::string& name);

std::string read_all(ByteSource& bytes);

}  // namespace bochner::detail
