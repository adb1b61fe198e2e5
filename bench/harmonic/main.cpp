// Harmonic variational GPs: what they find on public data, and how fast.
//
//   bench_harmonic <part>... [--data folder] [--threads n] [--sets a,b] [--steps n] [--step-size a] [--splits n] [--minutes m] [--out folder]

#include <cstdio>
#include <cstdlib>
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
      {"steps", {"milliseconds per step at batch 256", steps}},
      {"uci", {"regression benchmarks: test RMSE and NLL of m, 2m and 8 x m inducing points", uci}},
      {"nystrom", {"what inducing points miss of the prior variance, before learning", nystrom}},
      {"flips", {"10,000 digits flipped at random: ten classes", flips}},
      {"shifts", {"10,000 digits shifted at random: ten classes", shifts}},
      {"snelson", {"200 points, 2 x 5 inducing points: even and odd part (--out: a picture)", snelson}},
      {"elevation", {"ETOPO60, turns of longitude, equal time (--minutes; --out: a map)", elevation}},
      {"elevation5", {"ETOPO5, 8.4 million rows streamed from files, equal time (--minutes)", elevation5}}};
  const char* const from_environment = std::getenv("BOCHNER_DATA");
  Settings settings{.data = from_environment ? from_environment : "../shared/data", .threads = Threads(2)};
  std::vector<std::string> chosen;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : "";
    if (word == "--data") {
      settings.data = value, ++i;
    } else if (word == "--out") {
      settings.out = value, ++i;
    } else if (word == "--threads") {
      settings.threads = Threads(std::max(1, std::atoi(value))), ++i;
    } else if (word == "--steps") {
      settings.steps = std::atol(value), ++i;
    } else if (word == "--splits") {
      settings.splits = std::atol(value), ++i;
    } else if (word == "--step-size") {
      settings.step_size = std::atof(value), ++i;
    } else if (word == "--minutes") {
      settings.minutes = std::atof(value), ++i;
    } else if (word == "--sets") {
      std::stringstream list(value);
      for (std::string name; std::getline(list, name, ',');) settings.sets.push_back(name);
      ++i;
    } else if (parts.contains(word)) {
      chosen.push_back(word);
    } else {
      std::fprintf(stderr, "bench_harmonic: there is no part '%s'\n", word.c_str());
      return 1;
    }
  }
  if (chosen.empty()) {
    std::puts(
        "bench_harmonic <part>... [--data folder] [--threads n] [--sets a,b] [--steps n] [--step-size a] "
        "[--splits n] "
        "[--minutes m] [--out folder]");
    for (const auto& [name, part] : parts) std::printf("  %-10s  %s\n", name.c_str(), part.about);
    return 0;
  }
  for (const std::string& name : chosen) {
    std::printf("== %s: %s (%d threads)\n", name.c_str(), parts.at(name).about, settings.threads.count());
    try {
      parts.at(name).run(settings);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bench_harmonic: %s\n", error.what());
      return 1;
    }
  }
}
