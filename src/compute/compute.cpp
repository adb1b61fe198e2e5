#include "bochner/compute/compute.hpp"

#include "bochner/core/errors.hpp"

namespace bochner {

Device Device::parse(std::string_view name) {
  if (name == "cpu") return cpu();
  if (name == "cuda" || name.starts_with("cuda:"))
    throw InputError("this build has no CUDA; use the device 'cpu'");
  throw InputError("'" + std::string(name) + "' is not a device; this build has 'cpu'");
}

std::string Device::name() const {
  switch (kind_) {
    case Kind::cpu:
      return "cpu";
  }
  return "";
}

std::string Communicator::name() const {
  return "rank " + std::to_string(rank_) + " of " + std::to_string(size_);
}

}  // namespace bochner
