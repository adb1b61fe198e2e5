#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "bochner/random/rng.hpp"
#include "program.hpp"
#include "run_files.hpp"

// Runs of `bochner fit --inference mcmc` on a small recording.
namespace bochner::testing {

/// Counts of 40 bins in time with a hole, labels of some of them, and annotations.
inline void write_spikes(const TempFolder& folder) {
  std::string counts = "bin,t,a,b,c,d\n", labels = "bin,kind\n", meta = "bin,trial,half\n";
  Rng rng(1);
  for (int n = 0; n < 40; ++n) {
    const double x = std::sin(0.3 * n);
    const std::string id = "b" + std::to_string(n);
    counts += id + "," + std::to_string(0.5 * n);
    for (int j = 0; j < 4; ++j)
      counts += n == 3 && j == 1
                    ? ","
                    : "," + std::to_string(static_cast<int>(2 + 2 * x * (j % 2 ? 1 : -1) + rng.uniform()));
    counts += "\n";
    if (n % 3 != 0) labels += id + "," + (x > 0 ? "up" : "down") + "\n";
    meta += id + "," + (n < 20 ? "first" : "second") + "," + std::to_string(n % 20) + "\n";
  }
  folder.write("counts.csv", counts);
  folder.write("labels.csv", labels);
  folder.write("meta.csv", meta);
}

class Bayes : public ::testing::Test {
 protected:
  Bayes() { write_spikes(folder); }
  Outcome run(const std::vector<std::string>& arguments) {
    return run_program(arguments, {.folder = folder.file("")});
  }
  const std::vector<std::string> fit{"fit",
                                     "--model",
                                     "bayes",
                                     "--view",
                                     "counts=counts.csv:poisson",
                                     "--view",
                                     "kind=labels.csv:categorical",
                                     "--time",
                                     "t",
                                     "--warmup",
                                     "6",
                                     "--draws",
                                     "8",
                                     "--frequencies",
                                     "6",
                                     "--holdout",
                                     "0.1",
                                     "--chains",
                                     "2",
                                     "--start",
                                     "pca"};
  std::vector<std::string> with_draws(const char* draws) const {
    std::vector<std::string> out = fit;
    *(std::find(out.begin(), out.end(), "--draws") + 1) = draws;
    return out;
  }
  TempFolder folder;
};

}  // namespace bochner::testing
