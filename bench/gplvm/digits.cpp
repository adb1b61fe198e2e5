// MNIST: quality against time. Times are those of the fit alone, from the table in memory to the fitted model; looking at
// it on the way is not counted.

#include <algorithm>
#include <cstdio>
#include <optional>

#include "support.hpp"
#include "support/public_data.hpp"

namespace bochner::bench {
namespace {

struct Run {
  GplvmFit fit;
  double seconds = 0;
  std::optional<double> reached;  // seconds until KNN accuracy was at the target
};

/// A fit that looks at its latents every fifth step until they reach `target`, and ends there if
/// `stop_there`.
Run fit_watched(const Dataset& data, const IndexVector& labels, const GplvmOptions& o, std::uint64_t seed,
                double target, bool stop_there, const Threads& threads) {
  Run run;
  PausableStopwatch watch;
  GplvmHooks hooks;
  hooks.on_step = [&](const GplvmProgress& p) {
    if (run.reached || p.step.step % 5 != 0) return true;
    watch.pause();
    const Matrix X = latent_means(p.checkpoint(), data.rows(), o.dims);
    const bool there = knn(X, labels, 1, threads) >= target;
    watch.resume();
    if (there) run.reached = watch.seconds();
    return !(there && stop_there);
  };
  run.fit = fit_gplvm(data, o, seed, threads, hooks);
  run.seconds = watch.seconds();
  return run;
}

void print_reached(const std::optional<double>& seconds) {
  if (seconds)
    std::printf("%8.2f\n", *seconds);
  else
    std::puts("   never");
}

FeatureSpec random_features(Index count, Directions directions = Directions::independent) {
  return {.kind = FeatureSpec::Kind::random, .count = count, .directions = directions};
}

/// Seconds before the first step, and of one step.
struct Pace {
  double begin = 0, step = 0;
};
Pace pace(const Dataset& data, GplvmOptions o, Index count, const Threads& threads) {
  o.steps = count;
  o.restarts = 1;
  std::vector<double> at;
  const Stopwatch watch;
  GplvmHooks hooks;
  hooks.on_step = [&](const GplvmProgress&) {
    at.push_back(watch.seconds());
    return true;
  };
  fit_gplvm(data, o, 0, threads, hooks);
  std::vector<double> gaps;
  for (std::size_t i = 1; i < at.size(); ++i) gaps.push_back(at[i] - at[i - 1]);
  return {at.front(), median(gaps)};
}

}  // namespace

void rmnist(const Settings& s) {
  std::puts("subset  KNN-1   seconds  steps  start   to 0.80");
  std::vector<double> accuracies;
  for (Index subset = 0; subset < (s.seeds ? s.seeds : 5); ++subset) {
    const Labelled digits = r_mnist(s.data, unsigned(subset));
    const Dataset data = without_held_out(join({make_view("y", digits.Y)}), 0);
    const Run run = fit_watched(data, digits.labels, options(s), 0, 0.80, false, s.threads);
    accuracies.push_back(knn(run.fit.latent.mean, digits.labels, 1, s.threads));
    std::printf("%-6ld  %.4f  %6.1f   %5ld  %5ld ", long(subset), accuracies.back(), run.seconds,
                long(run.fit.steps), long(run.fit.start));
    print_reached(run.reached);
  }
  std::printf("mean    %.4f\n", mean(accuracies));
}

void target(const Settings& s) {
  std::puts(
      "seconds to KNN-1 0.78 per subset, nothing held out: all defaults, then 200 inducing latents in "
      "single\n"
      "precision, step size 0.3, from the principal components (target_seconds)");
  for (Index subset = 0; subset < (s.seeds ? s.seeds : 5); ++subset) {
    const Labelled digits = r_mnist(s.data, unsigned(subset));
    const Dataset data = join({make_view("y", digits.Y)});
    GplvmOptions quick = options(s);
    quick.features = {.kind = FeatureSpec::Kind::nystrom, .count = 200};
    quick.precision = FloatingPoint::single_precision;
    quick.step_size = 0.3;
    quick.race = false;
    const Run run = fit_watched(data, digits.labels, quick, 0, 0.78, true, s.threads);
    const Run defaults = fit_watched(data, digits.labels, options(s), 0, 0.78, true, s.threads);
    std::printf("defaults       %ld ", long(subset));
    print_reached(defaults.reached);
    std::printf("target_seconds %ld ", long(subset));
    print_reached(run.reached);
  }
}

void features(const Settings& s) {
  const Labelled digits = r_mnist(s.data, 0);
  const Dataset data = without_held_out(join({make_view("y", digits.Y)}), 0);
  const Run exact = fit_watched(data, digits.labels, options(s), 0, 2, false, s.threads);
  std::puts("subset 0            KNN-1   seconds  steps");
  const auto row = [&](const char* name, const Run& run) {
    std::printf("%-18s  %.4f  %6.1f   %5ld\n", name, knn(run.fit.latent.mean, digits.labels, 1, s.threads),
                run.seconds, long(run.fit.steps));
  };
  row("exact", exact);
  const std::pair<const char*, FeatureSpec> choices[] = {
      {"F = 200", random_features(50)},
      {"F = 600", random_features(150)},
      {"F = 1200", random_features(300)},
      {"F = 200 orthogonal", random_features(50, Directions::orthogonal)},
      {"F = 600 orthogonal", random_features(150, Directions::orthogonal)},
      {"F = 1200 orthogonal", random_features(300, Directions::orthogonal)},
      {"nystrom m = 100", {.kind = FeatureSpec::Kind::nystrom, .count = 100}},
      {"nystrom m = 300", {.kind = FeatureSpec::Kind::nystrom, .count = 300}}};
  for (const auto& [name, choice] : choices) {
    GplvmOptions o = options(s);
    o.features = choice;
    o.restarts = 1;
    // As many steps as fit into the time of the exact kernel, all of them taken.
    const Pace p = pace(data, o, 30, s.threads);
    o.steps = std::max<Index>(10, Index((exact.seconds - p.begin) / p.step));
    o.patience = o.steps;
    row(name, fit_watched(data, digits.labels, o, 0, 2, false, s.threads));
  }
}

void mnist(const Settings& s) {
  const Labelled digits = mnist_digits(s.data);
  GplvmOptions o = options(s);
  o.features = random_features(s.features);  // 0: as many as the library likes
  o.precision = FloatingPoint::single_precision;
  const Stopwatch watch;
  const GplvmFit fit = fit_gplvm(join({make_view("y", digits.Y)}), o, 0, s.threads);
  const double seconds = watch.seconds(), memory = peak_memory();
  std::printf(
      "digits   F     steps  minutes  GiB    KNN-1   KNN-10\n70000  %4ld  %6ld  %6.1f   %5.2f  %.4f  %.4f\n",
      long(2 * o.view.components * fit.features.count), long(fit.steps), seconds / 60, memory / (1 << 30),
      knn(fit.latent.mean, digits.labels, 1, s.threads), knn(fit.latent.mean, digits.labels, 10, s.threads));
}

void steps(const Settings& s) {
  const Labelled digits = mnist_digits(s.data);
  std::puts("rows x columns    features  ms per step, double   float");
  for (const Index N : {Index(1000), Index(70000)}) {
    GplvmOptions o = options(s);
    o.features = random_features(50);
    o.race = false;
    const Dataset data = join({make_view("y", digits.Y.topRows(N))});
    const Index count = s.steps ? s.steps : N == 1000 ? 200 : 12;
    o.precision = FloatingPoint::double_precision;
    const double doubles = 1e3 * pace(data, o, count, s.threads).step;
    o.precision = FloatingPoint::single_precision;
    const double floats = 1e3 * pace(data, o, count, s.threads).step;
    std::printf("%5ld x 784       200       %8.1f              %8.1f\n", long(N), doubles, floats);
    std::printf("step_ms %ld %.3f\n", long(N), doubles);
  }
}

}  // namespace bochner::bench
