#include "bochner/kernels/parameters.hpp"

namespace bochner {

std::vector<std::string> numbered(const std::string& name, Index n) {
  std::vector<std::string> names;
  for (Index i = 1; i <= n; ++i) names.push_back(name + "[" + std::to_string(i) + "]");
  return names;
}

}  // namespace bochner
