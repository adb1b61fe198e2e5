#include "demo_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bochner/kernels/any_kernel.hpp"
#include "bochner/models/gp_regression.hpp"
#include "demo_tables.hpp"
#include "io/sentence.hpp"
#include "resources.hpp"
#include "stopwatch.hpp"

namespace bochner::cli {

namespace {

/// Seconds of one value and gradient, from a smaller problem: the time grows with the cube of the samples.
double seconds_per_evaluation(const DemoSettings& s, const Threads& threads) {
  const Index n = std::min<Index>(s.samples, 600);
  const DemoTables tables = make_demo_tables(
      {.samples = n, .new_samples = 1, .noise = s.noise, .holes = s.holes}, {}, Rng(1), threads);
  const AnyKernel kernel = Rbf{.ell = Vector::Ones(2)};
  const auto evaluate = [&] {
    const Stopwatch watch;
    gp_log_likelihood(kernel, 0.1, tables.inputs.values, tables.targets.values, true, threads);
    return watch.seconds();
  };
  const double cold = evaluate();
  return std::min(cold, evaluate()) * std::pow(static_cast<double>(s.samples) / static_cast<double>(n), 3);
}

}  // namespace

const std::vector<std::string>& demo_files() {
  static const std::vector<std::string> files{
      "inputs.csv",      "targets.csv", "new_inputs.csv", "new_targets.csv", "new_truth.csv",
      "predictions.csv", "trace.csv",   "kernel.json",    "metrics.json",    "log.jsonl"};
  return files;
}

double demo_memory(const DemoSettings& s) {
  // Measured: the program itself, and ten matrices of N x N doubles while the gradient is taken.
  const double N = static_cast<double>(s.samples), all = static_cast<double>(s.samples + s.new_samples);
  return 2e7 + 8 * std::max(10 * N * N, 3 * all * all);
}

std::string demo_plan(const DemoSettings& s, const std::string& out, const Threads& threads) {
  constexpr Index usual_steps = 20;    // it converges in 15 to 20,
  constexpr double evaluations = 1.2;  // with this many evaluations each
  const Index steps = std::min(s.steps, usual_steps);
  const double seconds = seconds_per_evaluation(s, threads) * evaluations * static_cast<double>(steps);
  const auto measured = static_cast<Index>(std::round(static_cast<double>(s.samples) * (1 - s.holes)));
  std::string files = "config.toml";
  for (std::size_t i = 0; i < demo_files().size(); ++i)
    files += (i == 5 ? ",\n         " : ", ") + demo_files()[i];
  return fmt::format(
      "bochner demo would\n"
      "  make   tables of {} samples and {} new ones: 2 inputs, 2 outputs with noise {}, {:.0f} % not "
      "measured\n"
      "  fit    exact GP regression, RBF kernel: 4 parameters by L-BFGS in at most {} steps, each of which\n"
      "         factorises two matrices of about {} x {}\n"
      "  need   about {} of memory ({} are free) and {} on {}\n"
      "  leave  {} in {}/\n",
      s.samples, s.new_samples, s.noise, 100 * s.holes, s.steps, measured, measured,
      io::human_bytes(demo_memory(s)), io::human_bytes(free_memory()), about_time(seconds),
      io::counted(threads.count(), "thread"), files, out);
}

}  // namespace bochner::cli
