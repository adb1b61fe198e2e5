#include "encode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace bochner::detail {

namespace {

static_assert(std::endian::native == std::endian::little, "typed arrays of the page are little-endian");

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

struct Range {
  double low = 0, high = 0;
};

/// Of the finite values; 0 to 0 if there are none.
Range range_of(MatrixIn values) {
  Range out;
  bool any = false;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j) {
      const double v = values(i, j);
      if (!std::isfinite(v)) continue;
      out = any ? Range{std::min(out.low, v), std::max(out.high, v)} : Range{v, v};
      any = true;
    }
  return out;
}

double step_of(double value, const Range& range, double steps) {
  if (!(range.high > range.low)) return 0;
  return std::round(steps * (value / 2 - range.low / 2) / (range.high / 2 - range.low / 2));
}

}  // namespace

std::string base64(std::string_view bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t block = 0;
    for (std::size_t k = 0; k < 3; ++k)
      block = block << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= n ? digits[block >> (18 - 6 * k) & 63u] : '=';
  }
  return out;
}

Json compact(double value) {
  if (!std::isfinite(value)) return nullptr;
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

Json compact(VectorIn values) {
  Json out = Json::array();
  for (const double v : values) out.push_back(compact(v));
  return out;
}

Json as_floats(MatrixIn values) {
  std::vector<float> out;
  out.reserve(static_cast<std::size_t>(values.size()));
  for (Index j = 0; j < values.cols(); ++j)
    for (Index i = 0; i < values.rows(); ++i) out.push_back(static_cast<float>(values(i, j)));
  return {{"type", "f32"}, {"data", base64(bytes_of(out))}};
}

Json as_steps(VectorIn values) {
  const Range range = range_of(values);
  std::vector<std::uint16_t> out;
  for (const double v : values)
    out.push_back(std::isfinite(v) ? static_cast<std::uint16_t>(step_of(v, range, 65534)) : 65535);
  return {{"type", "u16"}, {"low", range.low}, {"high", range.high}, {"data", base64(bytes_of(out))}};
}

Json as_bytes(MatrixIn values) {
  const Range range = range_of(values);
  std::vector<std::uint8_t> out;
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      out.push_back(std::isfinite(values(i, j)) ? static_cast<std::uint8_t>(step_of(values(i, j), range, 254))
                                                : 255);
  return {{"type", "u8"}, {"low", range.low}, {"high", range.high}, {"data", base64(bytes_of(out))}};
}

Json as_codes(const std::vector<int>& codes) {
  std::vector<std::uint16_t> out;
  for (const int code : codes) out.push_back(code < 0 ? 65535 : static_cast<std::uint16_t>(code));
  return {{"type", "u16"}, {"data", base64(bytes_of(out))}};
}

}  // namespace bochner::detail
