#include "support/run_parts.hpp"

#include <cstdio>
#include <exception>
#include <vector>

namespace bochner::bench {

int run_parts(const char* program, const std::map<std::string, Part>& parts,
              const std::map<std::string, std::function<void(const char*)>>& set, int argc, char** argv) {
  std::vector<std::string> chosen;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (const auto option = set.find(word); option != set.end()) {
      option->second(i + 1 < argc ? argv[++i] : "");
    } else if (parts.contains(word)) {
      chosen.push_back(word);
    } else {
      std::fprintf(stderr, "%s: there is no part '%s'\n", program, word.c_str());
      return 1;
    }
  }
  if (chosen.empty()) {
    std::printf("%s <part>...", program);
    for (const auto& [name, f] : set) std::printf(" [%s]", name.c_str());
    std::puts("");
    for (const auto& [name, part] : parts) std::printf("  %-12s  %s\n", name.c_str(), part.about);
  }
  for (const std::string& name : chosen) {
    std::printf("== %s: %s\n", name.c_str(), parts.at(name).about);
    try {
      parts.at(name).run();
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s\n", program, error.what());
      return 1;
    }
  }
  return 0;
}

}  // namespace bochner::bench
