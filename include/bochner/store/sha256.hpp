#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace bochner {

/// SHA-256 [fips180-4] of bytes that arrive in pieces.
class Sha256 {
 public:
  void update(std::string_view bytes);
  std::string hex();  // 64 lower-case digits; call once, at the end

 private:
  void compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::uint64_t length_ = 0;  // bytes seen
};

std::string sha256_hex(std::string_view bytes);

}  // namespace bochner
