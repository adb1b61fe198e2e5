#include "tied_parameters.hpp"

#include <map>
#include <string>

#include "bochner/core/checks.hpp"

namespace bochner {
namespace {

/// "rbf[1].log ell[3]" -> "rbf[1].log ell"; what is not one of a row of length-scales or weights keeps its own name.
std::string common_name(const std::string& name) {
  const std::size_t bracket = name.rfind('[');
  const std::string stem = name.substr(0, bracket);
  const auto ends_with = [&](const std::string& end) { return stem.ends_with(end); };
  return bracket != std::string::npos && (ends_with("log ell") || ends_with("log weight")) ? stem : name;
}

}  // namespace

TiedParameters TiedParameters::make(const AnyKernel& kernel, bool shared) {
  const std::vector<std::string> names = parameter_names(kernel);
  TiedParameters out{IndexVector(Index(names.size()))};
  std::map<std::string, Index> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [place, fresh] = seen.emplace(shared ? common_name(names[i]) : names[i], out.count);
    if (fresh) ++out.count;
    out.of(Index(i)) = place->second;
  }
  return out;
}

Vector TiedParameters::gather(VectorIn theta) const {
  check_size("TiedParameters::gather", "size of theta", theta.size(), "parameters of the kernel", of.size());
  Vector free(count);
  for (Index i = of.size(); i-- > 0;) free(of(i)) = theta(i);
  return free;
}

Vector TiedParameters::spread(VectorIn free) const {
  check_size("TiedParameters::spread", "size of free", free.size(), "free parameters", count);
  return free(of);
}

Vector TiedParameters::pull(VectorIn dtheta) const {
  Vector free = Vector::Zero(count);
  for (Index i = 0; i < of.size(); ++i) free(of(i)) += dtheta(i);
  return free;
}

}  // namespace bochner
