#include "bochner/compute/compute.hpp"

#include <charconv>

#include "bochner/core/checks.hpp"
#include "bochner/core/errors.hpp"

namespace bochner {

Device Device::cuda(int ordinal) {
  check_at_least("Device::cuda", "ordinal", ordinal, 0);
  Device out;
  out.kind_ = Kind::cuda;
  out.ordinal_ = ordinal;
  return out;
}

Device Device::automatic() {
  Device out;
  out.kind_ = Kind::automatic;
  return out;
}

Device Device::parse(std::string_view name) {
  if (name == "cpu") return cpu();
  if (name == "auto") return automatic();
  if (name == "cuda") return cuda();
  constexpr std::string_view prefix = "cuda:";
  if (name.starts_with(prefix)) {
    const std::string_view digits = name.substr(prefix.size());
    int ordinal = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), ordinal);
    if (error == std::errc() && end == digits.data() + digits.size() && ordinal >= 0) return cuda(ordinal);
  }
  throw InputError("'" + std::string(name) +
                   "' is not a device; use cpu, cuda, cuda:1 (the second card) or auto");
}

std::string Device::name() const {
  switch (kind_) {
    case Kind::cpu:
      return "cpu";
    case Kind::cuda:
      return "cuda:" + std::to_string(ordinal_);
    case Kind::automatic:
      return "auto";
  }
  return "";
}

}  // namespace bochner
