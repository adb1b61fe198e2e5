#include "bochner/kernels/parameters.hpp"

namespace bochner {

std::vector<std::string> numbered(const std::string& name, Index n) {
  std::vector<std::string> names;
  for (Index i = 1; i <= n; ++i) names.push_back(name + "[" + std::to_string(i) + "]");
  return names;
}

std::vector<std::string> numbered(const std::string& name, Index rows, Index cols) {
  std::vector<std::string> names;
  for (Index i = 1; i <= rows; ++i)
    for (Index j = 1; j <= cols; ++j)
      names.push_back(name + "[" + std::to_string(i) + "," + std::to_string(j) + "]");
  return names;
}

}  // namespace bochner
