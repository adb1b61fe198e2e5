#pragma once
#include <string>
#include <vector>

#include "bochner/compute/threads.hpp"
#include "bochner/random/rng.hpp"
#include "bochner/run/run_folder.hpp"
#include "bochner/simulate/simulated.hpp"

namespace bochner::cli {

struct DemoSettings {
  bool bayes = false;              // counts, by Markov chains
  Index samples = 0, columns = 0;  // columns of each view; 0: 600 and 100, or 100 and 30
  double noise = 0.3;              // standard deviation; functions have 1
  double missing = 0.15;           // share of the entries that is not measured
  double absent = 0.1;             // share of the samples that lack one of the views altogether
  Index steps = 900;               // of the optimiser, at most
};

/// Two views of one S-shaped latent curve: smooth functions of it ("rbf"), and functions whose smoothness changes along
/// the way ("gibbs") [yang2025, Sec. 4.2]. Samples are called s0001, s0002, ...
Simulated make_demo_tables(const DemoSettings& settings, const Rng& rng, const Threads& threads);

/// The numbers that 0 stands for.
DemoSettings with_sizes(DemoSettings settings);

/// The names of the tables that write_demo_tables leaves.
const std::vector<std::string>& demo_tables();

/// VIEW.csv as a user would have it, VIEW_truth.csv with nothing missing, latent_truth.csv.
void write_demo_tables(const Simulated& made, const RunFolder& run);

}  // namespace bochner::cli
