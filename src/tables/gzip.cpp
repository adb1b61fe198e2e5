#include "gzip.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "byte_source.hpp"

namespace bochner::detail {

namespace {

constexpr int gzip_window = 15 + 16;  // largest window, gzip wrapping (zlib.h)
constexpr std::size_t chunk = 1u << 16;

class GunzipSource : public ByteSource {
 public:
  GunzipSource(std::unique_ptr<ByteSource> compressed, std::string name)
      : compressed_(std::move(compressed)), name_(std::move(name)), input_(chunk) {
    if (inflateInit2(&stream_, gzip_window) != Z_OK) throw std::bad_alloc();
  }
  ~GunzipSource() override { inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t n) override {
    std::size_t done = 0;
    while (done < n && !finished_) {
      if (stream_.avail_in == 0 && !refill()) {
        if (!between_members_)
          fail("the gzip file ends before its content does: it was cut off, copy or download it again");
        finished_ = true;
        break;
      }
      if (between_members_ && padding()) continue;
      const auto room = static_cast<uInt>(std::min<std::size_t>(n - done, 1u << 30));
      stream_.next_out = reinterpret_cast<Bytef*>(to + done);
      stream_.avail_out = room;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      done += room - stream_.avail_out;
      if (status == Z_STREAM_END) {
        between_members_ = true;
        if (inflateReset(&stream_) != Z_OK) throw std::bad_alloc();
      } else if (status == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (status != Z_OK) {
        fail("the gzip file is damaged, copy or download it again");
      }
    }
    return done;
  }

 private:
  [[noreturn]] void fail(const char* why) { throw InputError(fmt::format("{}: {}", printable(name_), why)); }

  bool refill() {
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(compressed_->read(input_.data(), input_.size()));
    return stream_.avail_in > 0;
  }

  // After a member comes another one, the end, or zeros up to the end of a tape block, which gzip ignores
  // too.
  bool padding() {
    if (*stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
      padded_ = true;
      return true;
    }
    if (padded_ || *stream_.next_in != 0x1f) fail("something other than gzip follows the gzip content");
    between_members_ = false;
    return false;
  }

  std::unique_ptr<ByteSource> compressed_;
  std::string name_;
  std::vector<char> input_;
  z_stream stream_{};
  bool between_members_ = false, padded_ = false, finished_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> gunzip(std::unique_ptr<ByteSource> compressed, const std::string& name) {
  return std::make_unique<GunzipSource>(std::move(compressed), name);
}

struct GzipWriter::Stream {
  z_stream z{};
  std::vector<char> output = std::vector<char>(chunk);
};

GzipWriter::GzipWriter(std::function<void(std::string_view)> sink)
    : sink_(std::move(sink)), stream_(std::make_unique<Stream>()) {
  constexpr int memory_level = 8;  // zlib's default
  if (deflateInit2(&stream_->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, memory_level,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

GzipWriter::~GzipWriter() { deflateEnd(&stream_->z); }

void GzipWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, 1u << 30);  // zlib counts in 32 bits
    run(part, Z_NO_FLUSH);
    bytes.remove_prefix(part.size());
  }
}

void GzipWriter::finish() { run({}, Z_FINISH); }

void GzipWriter::run(std::string_view bytes, int flush) {
  z_stream& z = stream_->z;
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // zlib reads only
  z.avail_in = static_cast<uInt>(bytes.size());
  do {
    z.next_out = reinterpret_cast<Bytef*>(stream_->output.data());
    z.avail_out = static_cast<uInt>(stream_->output.size());
    deflate(&z, flush);
    sink_({stream_->output.data(), stream_->output.size() - z.avail_out});
  } while (z.avail_out == 0);
}

}  // namespace bochner::detail
