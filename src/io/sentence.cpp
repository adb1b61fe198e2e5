#include "sentence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "bochner/core/counted.hpp"
#include "bochner/core/nearest_name.hpp"

namespace bochner::io {

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
// direction of text around, and line ends. `s` is a valid sequence of n bytes.
bool is_control(std::string_view s, std::size_t n) {
  const auto byte = [&](std::size_t i) { return std::uint32_t(static_cast<unsigned char>(s[i])); };
  if (n == 2) return byte(0) == 0xC2 && byte(1) < 0xA0;
  if (n != 3) return false;
  const std::uint32_t code = (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

std::string escaped(std::string_view sequence) {
  std::string out;
  for (const char c : sequence) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return out;
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
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    if (out.size() >= most) return out + "...";
    const std::size_t n = sequence_length(text.substr(i));
    const auto b = static_cast<unsigned char>(text[i]);
    if (n > 1)
      out += is_control(text.substr(i), n) ? escaped(text.substr(i, n)) : std::string(text.substr(i, n));
    else if (n == 1 && b >= 0x20 && b != 0x7F)
      out += text[i];
    else if (b == '\n' || b == '\r' || b == '\t')
      out += b == '\n' ? "\\n" : b == '\r' ? "\\r" : "\\t";
    else
      out += fmt::format("\\x{:02x}", b);
    i += std::max<std::size_t>(n, 1);
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
    end = std::min(text.find('\n'), text.size());
    out += printable(text.substr(0, end), std::string_view::npos);
    if (end < text.size()) ++end, out += '\n';
  }
  return out;
}

std::string quote(std::string_view text) { return fmt::format("'{}'", printable(text, 40)); }

std::string listing(const std::vector<std::string>& names, std::size_t most) {
  // "and 1 more" is longer than the one name.
  const std::size_t shown = names.size() <= most + 1 ? names.size() : most;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) out += i + 1 == names.size() ? " and " : ", ";
    out += quote(names[i]);
  }
  if (shown < names.size()) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  return nearest_name(name, candidates);
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string found = nearest(name, candidates);
  return found.empty() ? std::string() : fmt::format("; did you mean {}?", quote(found));
}

std::string counted(long long n, const char* noun) { return bochner::counted(n, noun); }

std::string counted(long long n, const char* noun, const char* plural) {
  return bochner::counted(n, noun, plural);
}

std::string human_bytes(double bytes) {
  const char* units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  int unit = 0;
  while (bytes >= 1000 && unit < 5) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, units[unit]);
}

}  // namespace bochner::io
