// Bayesian latent variable models by Markov chains: what they find, and how fast.
//
//   bench_bayes <part>... [--data folder] [--threads n] [--seeds n] [--warmup n] [--draws n]
//               [--chains n] [--frequencies n] [--start pca] [--sets a,b] [--rows n] [--columns n]

#include <cstdlib>
#include <sstream>

#include "bochner/core/memory.hpp"
#include "parts.hpp"
#include "support/run_parts.hpp"

int main(int argc, char** argv) {
  using namespace bochner;
  using namespace bochner::bench;
  keep_freed_memory();
  const char* const from_environment = std::getenv("BOCHNER_DATA");
  Settings s{.data = from_environment ? from_environment : "../shared/data"};
  return run_parts(
      "bench_bayes",
      {{"sweeps",
        {"milliseconds a sweep at 500 x 100, 100 features, against the authors' programs",
         [&] { sweeps(s); }}},
       {"worth",
        {"effective draws a second of what mixes worst, 150 x 24 over time, by kind of quantity",
         [&] { worth(s); }}},
       {"scaling", {"milliseconds a sweep for 500 to 50,000 samples", [&] { scaling(s); }}},
       {"curve", {"S-curve, counts: R^2 of the posterior mean of the latents", [&] { curve(s); }}},
       {"imputation", {"20 % of the entries held out: static and dynamic", [&] { imputation(s); }}},
       {"labels", {"KNN accuracy on the posterior mean of two latents", [&] { labels(s); }}},
       {"hippocampus", {"position of a rat from spike counts of held-out bins", [&] { hippocampus(s); }}},
       {"spikes",
        {"spikes of 50 place cells in 1,000 bins (--columns, --rows), all defaults; --sets lmt: those of "
         "[wu2017]",
         [&] { spikes(s); }}},
       {"paths",
        {"counts over time with a known truth: all defaults against chains that begin there",
         [&] { paths(s); }}}},
      {{"--data", [&](const char* v) { s.data = v; }},
       {"--threads", [&](const char* v) { s.threads = Threads(std::max(1, std::atoi(v))); }},
       {"--seeds", [&](const char* v) { s.seeds = std::atol(v); }},
       {"--chains", [&](const char* v) { s.chains = std::max(1L, std::atol(v)); }},
       {"--warmup",
        [&](const char* v) {
          s.warmup = std::atol(v);
          s.warmup_given = true;
        }},
       {"--draws",
        [&](const char* v) {
          s.draws = std::atol(v);
          s.draws_given = true;
        }},
       {"--frequencies", [&](const char* v) { s.frequencies = std::max(1L, std::atol(v)); }},
       {"--rows", [&](const char* v) { s.rows = std::max(2L, std::atol(v)); }},
       {"--columns", [&](const char* v) { s.columns = std::max(1L, std::atol(v)); }},
       {"--start",
        [&](const char* v) {
          s.start = std::string(v) == "pca" ? BayesStart::pca : BayesStart::variational;
        }},
       {"--truth", [&](const char* v) { s.at_truth = std::string(v) != "no"; }},
       {"--sets",
        [&](const char* v) {
          std::stringstream list(v);
          for (std::string name; std::getline(list, name, ',');) s.sets.push_back(name);
        }}},
      argc, argv);
}
