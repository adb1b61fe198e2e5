#include "bochner/core/printable.hpp"

#include <algorithm>
#include <cstdint>

namespace bochner {
namespace {

// Bytes of the UTF-8 sequence at the front, or 0 if it is invalid or cut off.
std::size_t sequence_length(std::string_view s) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const unsigned char b = byte(0);
  if (b < 0x80) return 1;
  const std::size_t n = b >= 0xF0 ? 4 : b >= 0xE0 ? 3 : 2;
  if (b < 0xC2 || b > 0xF4 || s.size() < n) return 0;  // C0 and C1 are overlong, F5 and above beyond U+10FFFF
  for (std::size_t i = 1; i < n; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  if (b == 0xE0 && byte(1) < 0xA0) return 0;   // overlong
  if (b == 0xED && byte(1) >= 0xA0) return 0;  // surrogates
  if (b == 0xF0 && byte(1) < 0x90) return 0;   // overlong
  if (b == 0xF4 && byte(1) >= 0x90) return 0;  // beyond U+10FFFF
  return n;
}

// Beyond ASCII: the control characters of Latin-1, of which U+009B begins a command to a terminal, marks that turn the
// direction of text around, and line ends. `s` begins with a valid sequence of n bytes.
bool is_control(std::string_view s, std::size_t n) {
  const auto byte = [&](std::size_t i) { return std::uint32_t(static_cast<unsigned char>(s[i])); };
  if (n == 2 && byte(0) == 0xC2) return byte(1) < 0xA0;
  if (n == 2) return byte(0) == 0xD8 && byte(1) == 0x9C;  // U+061C
  if (n != 3) return false;
  const std::uint32_t code = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

}  // namespace

std::size_t valid_utf8(std::string_view bytes) {
  std::size_t i = 0;
  while (i < bytes.size()) {
    // Tables are nearly all ASCII: eight bytes at a time.
    while (i + 8 <= bytes.size()) {
      std::uint64_t word = 0;
      std::copy_n(bytes.data() + i, 8, reinterpret_cast<char*>(&word));
      if (word & 0x8080808080808080u) break;
      i += 8;
    }
    if (i == bytes.size()) break;
    const std::size_t n = sequence_length(bytes.substr(i));
    if (n == 0) break;
    i += n;
  }
  return i;
}

std::string printable(std::string_view text, std::size_t most) {
  constexpr const char* hex = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() >= most) return out + "...";
    const std::size_t n = sequence_length(text.substr(i));
    const auto b = static_cast<unsigned char>(text[i]);
    const auto escape = [&](unsigned char byte) { out += {'\\', 'x', hex[byte >> 4], hex[byte & 15]}; };
    if (n > 1 && is_control(text.substr(i), n))
      for (const char c : text.substr(i, n)) escape(static_cast<unsigned char>(c));
    else if (n > 1)
      out += text.substr(i, n);
    else if (n == 1 && b >= 0x20 && b != 0x7F)
      out += text[i];
    else if (b == '\n' || b == '\r' || b == '\t')
      out += b == '\n' ? "\\n" : b == '\r' ? "\\r" : "\\t";
    else
      escape(b);
    i += std::max<std::size_t>(n, 1);
  }
  return out;
}

}  // namespace bochner
