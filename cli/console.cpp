#include "console.hpp"

#include <cstdio>

namespace bochner::cli {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

void print_error(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace bochner::cli
