#include "png.hpp"

#include <zlib.h>

#include <fstream>
#include <stdexcept>

namespace bochner::bench {
namespace {

std::string big_endian(std::uint32_t v) {
  return {char(v >> 24), char(v >> 16 & 255), char(v >> 8 & 255), char(v & 255)};
}

std::string chunk(const std::string& type, const std::string& data) {
  const std::string body = type + data;
  const auto crc = crc32(0, reinterpret_cast<const Bytef*>(body.data()), uInt(body.size()));
  return big_endian(std::uint32_t(data.size())) + body + big_endian(std::uint32_t(crc));
}

}  // namespace

void write_png(const std::string& path, int width, int height, const std::vector<std::uint8_t>& rgb) {
  const std::size_t row = 3 * std::size_t(width);
  if (rgb.size() != row * std::size_t(height))
    throw std::invalid_argument("write_png: three bytes for each pixel");
  std::string raw;
  for (int y = 0; y < height; ++y) {
    raw += '\0';  // each row unfiltered
    raw.append(reinterpret_cast<const char*>(rgb.data()) + row * std::size_t(y), row);
  }
  uLongf size = compressBound(uLong(raw.size()));
  std::string packed(size, '\0');
  compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
            uLong(raw.size()), 9);
  packed.resize(size);
  std::ofstream out(path, std::ios::binary);
  out << "\x89PNG\r\n\x1a\n"
      << chunk("IHDR", big_endian(std::uint32_t(width)) + big_endian(std::uint32_t(height)) +
                           std::string("\x08\x02\x00\x00\x00", 5))
      << chunk("IDAT", packed) << chunk("IEND", "");
}

}  // namespace bochner::bench
