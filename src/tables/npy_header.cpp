#include "npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "bochner/core/errors.hpp"
#include "bochner/core/messages.hpp"
#include "bochner/core/parse_number.hpp"
#include "fail.hpp"

namespace bochner::detail {

namespace {

constexpr std::size_t longest_header = 1u << 20;

// The header is a Python dictionary of three known keys. This reads just that, and stops at anything else.
class Dictionary {
 public:
  explicit Dictionary(std::string_view text) : text_(text) {}

  bool parse() {
    if (!take('{')) return false;
    while (!take('}')) {
      std::string_view key;
      if (!string(key) || !take(':') || !value(key)) return false;
      if (!take(',')) return take('}') && rest_is_blank() && complete();
    }
    return rest_is_blank() && complete();
  }

  std::optional<std::string_view> descr;  // as text; a structured type begins with '['
  std::optional<bool> fortran;
  std::optional<std::vector<std::uint64_t>> shape;

 private:
  bool complete() const { return descr && fortran && shape; }
  void blanks() {
    const std::size_t n = std::min(text_.find_first_not_of(" \t\n"), text_.size());
    text_.remove_prefix(n);
  }
  bool rest_is_blank() {
    blanks();
    return text_.empty();
  }
  bool take(char c) {
    blanks();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool word(std::string_view w) {
    blanks();
    if (!text_.starts_with(w)) return false;
    text_.remove_prefix(w.size());
    return true;
  }
  bool string(std::string_view& out) {
    blanks();
    if (!text_.starts_with('\'') && !text_.starts_with('"')) return false;
    const std::size_t end = text_.find(text_[0], 1);
    if (end == std::string_view::npos) return false;
    out = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return true;
  }
  bool value(std::string_view key) {
    if (key == "descr" && !descr) {
      blanks();
      if (text_.starts_with('[')) {  // named fields; nothing behind it matters any more
        descr = "[";
        fortran = false;
        shape.emplace();
        text_ = "}";
        return true;
      }
      std::string_view type;
      if (!string(type)) return false;
      descr = type;
      return true;
    }
    if (key == "fortran_order" && !fortran) {
      const bool yes = word("True");
      if (!yes && !word("False")) return false;
      fortran = yes;
      return true;
    }
    return key == "shape" && !shape && tuple();
  }
  bool tuple() {
    if (!take('(')) return false;
    shape.emplace();
    while (!take(')')) {
      blanks();
      const std::size_t digits = std::min(text_.find_first_not_of("0123456789"), text_.size());
      const auto n = parse_integer<std::uint64_t>(text_.substr(0, digits));
      if (!n) return false;
      text_.remove_prefix(digits);
      word("L");  // Python 2 wrote long integers so
      shape->push_back(*n);
      if (!take(',')) return take(')');
    }
    return true;
  }

  std::string_view text_;
};

void read_type(NpyHeader& header, std::string_view descr, const std::string& name) {
  if (descr == "[")
    fail(name, "the array has named fields; save a plain array of numbers, one field per column");
  const bool has_order =
      descr.size() > 1 && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  const char order = has_order ? descr[0] : '=';
  const std::string_view type = descr.substr(has_order ? 1 : 0);
  header.kind = type.empty() ? '\0' : type[0];
  header.size = 0;
  if (type.size() == 2 && type[1] >= '1' && type[1] <= '8') header.size = type[1] - '0';
  switch (header.kind) {
    case 'O':
      fail(name, "the array holds Python objects; convert it with astype(float) before saving");
    case 'U':
    case 'S':
      fail(name, "the array holds text; convert it with astype(float) before saving");
    case 'c':
      fail(name, "the array holds complex numbers; save real and imaginary parts as columns");
    case 'M':
    case 'm':
      fail(name, "the array holds dates; save numbers, say days since the start");
    default:
      break;
  }
  const bool power_of_two = std::has_single_bit(static_cast<unsigned>(header.size));
  const bool known = (header.kind == 'f' && power_of_two && header.size >= 2) ||
                     ((header.kind == 'i' || header.kind == 'u') && power_of_two) ||
                     (header.kind == 'b' && header.size == 1);
  if (!known)
    fail(name, fmt::format(
                   "the numbers are of type {}, which is not read; convert with astype(float) before saving",
                   quote(descr)));
  const bool big = order == '>';
  header.swapped =
      header.size > 1 && (order == '<' || big) && big != (std::endian::native == std::endian::big);
}

template <class T>
void convert(const char* raw, Index n, bool swapped, double* out) {
  for (Index i = 0; i < n; ++i) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, raw + i * static_cast<Index>(sizeof(T)), sizeof(T));
    if (swapped) std::reverse(std::begin(bytes), std::end(bytes));
    T value;
    std::memcpy(static_cast<void*>(&value), bytes, sizeof(T));
    out[i] = static_cast<double>(value);
  }
}

}  // namespace

std::uint64_t NpyHeader::data_bytes() const {
  return static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(cols) *
         static_cast<std::uint64_t>(size);
}

NpyHeader read_npy_header(ByteSource& bytes, const std::string& name) {
  unsigned char start[12];
  const auto read = [&](void* to, std::size_t n) { return bytes.read(static_cast<char*>(to), n) == n; };
  if (!read(start, 8)) fail(name, "the file ends in the middle of the header of a NumPy array");
  if (std::memcmp(start, "\x93NUMPY", 6) != 0) fail(name, "this is not a NumPy array file (.npy)");
  const int version = start[6];
  if (version < 1 || version > 3)
    fail(name,
         fmt::format("the NumPy file has version {}.{}, only 1 to 3 are known", version, int(start[7])));
  const std::size_t width = version == 1 ? 2 : 4;
  if (!read(start + 8, width)) fail(name, "the file ends in the middle of the header of a NumPy array");
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) length = 256 * length + start[8 + i];
  if (length > longest_header)
    fail(name, "the header of the NumPy array is damaged (it claims to be longer than 1 MB)");
  std::string text(length, '\0');
  if (!read(text.data(), length)) fail(name, "the file ends in the middle of the header of a NumPy array");

  Dictionary dictionary(text);
  if (!dictionary.parse())
    fail(name, fmt::format("the header of the NumPy array is damaged: {}", quote(text)));
  NpyHeader header;
  header.offset = 8 + width + length;
  header.fortran = *dictionary.fortran;
  read_type(header, *dictionary.descr, name);

  const std::vector<std::uint64_t>& shape = *dictionary.shape;
  if (shape.empty()) fail(name, "the array is a single number, not a table");
  if (shape.size() > 2)
    fail(name,
         fmt::format("the array has {} dimensions, a table has 2; reshape it before saving", shape.size()));
  const std::uint64_t rows = shape[0], cols = shape.size() == 2 ? shape[1] : 1;
  if (rows == 0 || cols == 0) fail(name, fmt::format("the array is empty ({} x {})", rows, cols));
  constexpr std::uint64_t most = std::uint64_t{1}
                                 << 60;  // bytes; so nothing below overflows, doubles included
  if (rows > most / 8 || cols > most / 8 / rows)
    fail(name, fmt::format("the array claims {} x {} numbers, so its header is damaged", rows, cols));
  header.rows = static_cast<Index>(rows);
  header.cols = static_cast<Index>(cols);
  return header;
}

std::string format_npy_header(Index rows, Index cols) {
  std::string text =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}), }}", rows, cols);
  // The numbers start at a multiple of 64 bytes, the header ends with a line end: NumPy's format document.
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(text.size() & 0xff);
  out += static_cast<char>(text.size() >> 8);
  return out + text;
}

void convert_numbers(const NpyHeader& header, const char* raw, Index n, double* out) {
  const bool swapped = header.swapped;
  switch (header.kind) {
    case 'f':
      if (header.size == 2) return convert<Eigen::half>(raw, n, swapped, out);
      if (header.size == 4) return convert<float>(raw, n, swapped, out);
      return convert<double>(raw, n, swapped, out);
    case 'i':
      if (header.size == 1) return convert<std::int8_t>(raw, n, swapped, out);
      if (header.size == 2) return convert<std::int16_t>(raw, n, swapped, out);
      if (header.size == 4) return convert<std::int32_t>(raw, n, swapped, out);
      return convert<std::int64_t>(raw, n, swapped, out);
    case 'u':
      if (header.size == 1) return convert<std::uint8_t>(raw, n, swapped, out);
      if (header.size == 2) return convert<std::uint16_t>(raw, n, swapped, out);
      if (header.size == 4) return convert<std::uint32_t>(raw, n, swapped, out);
      return convert<std::uint64_t>(raw, n, swapped, out);
    default:  // numpy reads any non-zero byte as True
      for (Index i = 0; i < n; ++i) out[i] = raw[i] != 0;
  }
}

}  // namespace bochner::detail
