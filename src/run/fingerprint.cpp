#include "bochner/run/fingerprint.hpp"

#include <fmt/format.h>

#include <limits>

namespace bochner {

Fingerprint& Fingerprint::add(const std::string& text) {
  sum_.update(fmt::format("{}:", text.size()));  // or "ab", "c" would be "a", "bc"
  sum_.update(text);
  return *this;
}

Fingerprint& Fingerprint::add(const std::vector<std::string>& texts) {
  add(std::to_string(texts.size()));
  for (const std::string& text : texts) add(text);
  return *this;
}

Fingerprint& Fingerprint::add(const Matrix& values) {
  add(fmt::format("{} x {}", values.rows(), values.cols()));
  // NaN has many bit patterns.
  const Matrix Y = values.array().isNaN().select(std::numeric_limits<double>::quiet_NaN(), values);
  sum_.update({reinterpret_cast<const char*>(Y.data()), static_cast<std::size_t>(Y.size()) * sizeof(double)});
  return *this;
}

Fingerprint& Fingerprint::add(const Dataset& data) {
  add(data.ids());
  for (const View& view : data.views()) add(view.name).add(view.columns).add(view.Y);
  return *this;
}

std::string Fingerprint::hex() { return sum_.hex(); }

}  // namespace bochner
