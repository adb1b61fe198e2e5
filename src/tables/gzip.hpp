#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace bochner::detail {

/// Compresses what is written and hands the gzip stream on. No name and no time in the header: the same
/// content gives the same bytes.
class GzipWriter {
 public:
  explicit GzipWriter(std::function<void(std::string_view)> sink);
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void write(std::string_view bytes);
  void finish();  // the last bytes; call once

 private:
  void run(std::string_view bytes, int flush);

  std::function<void(std::string_view)> sink_;
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

}  // namespace bochner::detail
