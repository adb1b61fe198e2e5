// Milliseconds per step of Adam on everything, batches of 256 rows of 8 columns, Matern 3/2: the size and the settings of
// bench/reference/gpytorch_svgp.py, which takes the same steps.

#include <cstdio>

#include "bochner/models/harmonic/fit.hpp"
#include "bochner/random/rng.hpp"
#include "parts.hpp"

namespace bochner::bench {
namespace {

/// Median over a few steps after some to warm up.
double milliseconds(Index inducing, const std::vector<std::string>& symmetries, const Settings& s) {
  const Index N = 10000, D = 8;
  const Matrix X = Rng(1).normal(N, D);
  const Matrix Y = X.rowwise().norm().array().sin();
  const HarmonicFitOptions options{.ard = false,
                                   .symmetries = symmetries,
                                   .inducing = inducing,
                                   .steps = s.steps > 3 ? s.steps : (inducing >= 1000 ? 12 : 25),
                                   .batch = 256,
                                   .natural_step = 0,
                                   .validation = 0,
                                   .check_every = 1000000};
  std::vector<double> times;
  Stopwatch watch;
  double last = 0;
  fit_harmonic(memory_rows(X, Y), {.inputs = std::vector<std::string>(D, "x"), .outcomes = {"y"}}, options, 1,
               s.threads, {.on_step = [&](const HarmonicProgress&) {
                 const double now = watch.seconds();
                 times.push_back(now - last);
                 last = now;
                 return true;
               }});
  std::sort(times.begin() + 2, times.end());
  return 1e3 * times[2 + (times.size() - 2) / 2];
}

}  // namespace

void steps(const Settings& s) {
  for (const Index m : {500, 1000, 2000})
    std::printf("step_ms %ld %.2f\n", long(m), milliseconds(m, {}, s)), std::fflush(stdout);
  for (const Index m : {250, 500, 1000})
    std::printf("step_ms 8x%ld %.2f\n", long(m), milliseconds(m, {"negate:pca:3"}, s)), std::fflush(stdout);
}

}  // namespace bochner::bench
