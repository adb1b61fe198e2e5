#include "bochner/core/counted.hpp"

namespace bochner {

std::string counted(long long n, const char* noun) {
  return counted(n, noun, (std::string(noun) + "s").c_str());
}

std::string counted(long long n, const char* noun, const char* plural) {
  return std::to_string(n) + " " + (n == 1 ? noun : plural);
}

}  // namespace bochner
