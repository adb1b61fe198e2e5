// What the variational latent variable model finds, how well and how fast: each part prints a small table.
//
//   bench_gplvm                        lists the parts
//   bench_gplvm rmnist oil             runs them
//   bench_gplvm scurve --seeds 2       --seeds, --steps, --features, --dims, --threads change the defaults of a part
//
// Parts on public data look for it in --data, else in BOCHNER_DATA, else in ../shared/data.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bochner/core/memory.hpp"
#include "support.hpp"

namespace bochner::bench {
namespace {

struct Part {
  const char* name;
  const char* what;
  std::function<void(const Settings&)> run;
};

const std::vector<Part> parts{
    {"noise", "noise variances found on simulated tables", noise},
    {"scurve", "R^2 to the true latent, one and two views, three kernels", scurve},
    {"coverage", "how often 90 % intervals hold the truth, simulated tables with missing values", coverage},
    {"rmnist", "1,000 MNIST digits, five subsets, all defaults: KNN accuracy and seconds", rmnist},
    {"target", "the same digits: seconds until KNN accuracy is 0.78", target},
    {"features", "the same digits: exact kernel, random features and inducing latents at equal time",
     features},
    {"mnist", "all 70,000 digits: KNN accuracy, seconds, memory", mnist},
    {"steps", "milliseconds per step at 1000 x 784 and 70000 x 784 with 200 features", steps},
    {"missing", "digits with 10, 30 and 60 % of the entries missing: reconstruction errors", missing},
    {"faces", "the same for faces (1,965 of them: some minutes a row)", faces},
    {"mfeat", "six views of 2,000 digits: all against each, a view missing, a view predicted", mfeat},
    {"oil", "oil flow: new samples against a joint fit", oil},
};

int usage() {
  std::puts(
      "usage: bench_gplvm <part>... [--data folder] [--threads n] [--seeds n] [--steps n] [--features n] "
      "[--dims n]\n");
  for (const Part& part : parts) std::printf("  %-10s %s\n", part.name, part.what);
  return 0;
}

int run(const std::vector<std::string>& words) {
  Settings settings;
  const char* folder = std::getenv("BOCHNER_DATA");
  settings.data = folder ? folder : "../shared/data";
  int threads = std::max(1, int(std::thread::hardware_concurrency()));
  std::vector<const Part*> chosen;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word.starts_with("--")) {
      if (i + 1 == words.size()) throw std::invalid_argument(word + " needs a value");
      const std::string& value = words[++i];
      if (word == "--data")
        settings.data = value;
      else if (word == "--threads")
        threads = std::stoi(value);
      else if (word == "--seeds")
        settings.seeds = std::stol(value);
      else if (word == "--steps")
        settings.steps = std::stol(value);
      else if (word == "--features")
        settings.features = std::stol(value);
      else if (word == "--dims")
        settings.dims = std::stol(value);
      else
        throw std::invalid_argument("there is no option " + word);
      continue;
    }
    const auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return word == p.name; });
    if (part == parts.end()) throw std::invalid_argument("there is no part " + word);
    chosen.push_back(&*part);
  }
  if (chosen.empty()) return usage();
  settings.threads = Threads(threads);
  for (const Part* part : chosen) {
    std::printf("== %s: %s (%d threads)\n", part->name, part->what, threads);
    part->run(settings);
    std::puts("");
  }
  return 0;
}

}  // namespace
}  // namespace bochner::bench

int main(int argc, char** argv) {
  bochner::keep_freed_memory();
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  try {
    return bochner::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    std::fprintf(stderr, "bench_gplvm: %s\n", e.what());
    return 1;
  }
}
