// Multi-view kernel PCA and forecasts: what they find, and how fast.
//
//   bench_rkm <part>... [--data folder] [--threads n] [--sizes n,n,..] [--folder inputs]

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <sstream>

#include "bochner/core/memory.hpp"
#include "parts.hpp"

int main(int argc, char** argv) {
  using namespace bochner;
  using namespace bochner::bench;
  keep_freed_memory();
  struct Part {
    const char* about;
    std::function<void(const Settings&)> run;
  };
  const std::map<std::string, Part> parts{
      {"components", {"top 20 components of n samples, 64 columns, rbf: seconds and memory", components}},
      {"crossing", {"primal against dual as n passes the number of features", crossing}},
      {"sines", {"four algorithms on the sum of sines: components and forecasts agree", sines}},
      {"laser", {"Santa Fe laser, 100 steps: eigenvalues, errors, baselines, tuned by backtest", laser}},
      {"mfeat", {"one view of digits predicted from the other five, beside ridge regression", mfeat}}};
  const char* const from_environment = std::getenv("BOCHNER_DATA");
  Settings settings{.data = from_environment ? from_environment : "../shared/data",
                    .folder = "",
                    .sizes = {2000, 10000},
                    .threads = Threads(2)};
  std::vector<std::string> chosen;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--data") {
      settings.data = value, ++i;
    } else if (word == "--folder") {
      settings.folder = value, ++i;
    } else if (word == "--threads") {
      settings.threads = Threads(std::max(1, std::atoi(value))), ++i;
    } else if (word == "--sizes") {
      settings.sizes.clear();
      std::stringstream list(value);
      for (std::string n; std::getline(list, n, ',');) settings.sizes.push_back(std::atol(n.c_str()));
      ++i;
    } else if (parts.contains(word)) {
      chosen.push_back(word);
    } else {
      std::fprintf(stderr, "bench_rkm: there is no part '%s'\n", word.c_str());
      return 1;
    }
  }
  if (chosen.empty()) {
    std::puts("bench_rkm <part>... [--data folder] [--threads n] [--sizes n,n,..] [--folder inputs]");
    for (const auto& [name, part] : parts) std::printf("  %-10s  %s\n", name.c_str(), part.about);
    return 0;
  }
  for (const std::string& name : chosen) {
    std::printf("== %s: %s (%d threads)\n", name.c_str(), parts.at(name).about, settings.threads.count());
    try {
      parts.at(name).run(settings);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bench_rkm: %s\n", error.what());
      return 1;
    }
  }
}
