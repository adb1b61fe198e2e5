// Counts behind which paths over time lie: do chains of the default find what chains that begin at the truth keep?

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/kernels/make_kernel.hpp"
#include "bochner/models/bayes/assess.hpp"
#include "bochner/simulate/emissions.hpp"
#include "bochner/simulate/gp_draw.hpp"
#include "parts.hpp"
#include "support/public_data.hpp"

namespace bochner::bench {

/// Paths of length-scale 0.1 of the recording, functions with the RBF kernel, about three counts an entry.
PathTruth simulate_paths(const PathSet& set, Rng rng) {
  const Vector time = Vector::LinSpaced(set.N, 0, 1);
  const TimeGrid grid = make_time_grid(time);
  Matrix X(set.N, set.Q);
  for (Index q = 0; q < set.Q; ++q)
    X.col(q) = grid.unsorted(draw_states(path_steps({PathKind::matern32, 0.1, 1}, grid), rng).col(0));
  Matrix F =
      draw_functions(make_kernel("rbf", set.Q, Rng(1), {}), X, set.J, rng.split("functions"), Threads(1));
  F.rowwise() += (1 + 0.5 * rng.normal(set.J).array()).matrix().transpose();
  const Matrix log_mean = F;
  Emission emission = PoissonEmission{};
  if (set.likelihood == BayesLikelihood::gaussian) emission = GaussianEmission{};
  if (set.likelihood == BayesLikelihood::multinomial) emission = MultinomialEmission{};
  if (set.likelihood == BayesLikelihood::negbinom) {
    const Vector r = Vector::Constant(set.J, 5);
    emission = NegativeBinomialEmission{r};
    F.array() -= std::log(5.0);
  }
  return {{.data = join({make_view("counts", draw_emission(emission, F, rng.split("counts")))}),
           .axis = {.time = time}},
          X,
          log_mean};
}

namespace {

/// The share of entries whose log mean lies in the central 90 % of its draws.
double coverage(const BayesFit& fit, const PathTruth& truth, const Threads& threads) {
  const BayesPrediction p =
      predict(fit.views[0], fit.X, {}, {.interval = 0.9, .of_function = true}, Rng(1), threads);
  const auto mean = truth.log_mean.array().exp();
  return (p.low.array() <= mean && mean <= p.high.array()).cast<double>().mean();
}

struct Found {
  double r2, coverage, level, rhat, worst_rhat, ess, worst_ess, seconds;  // of all processors together
  Index left_out;                                                         // chains
  std::string slowest;
};

Found run(const PathTruth& truth, const PathSet& set, bool at_truth, const Settings& s, std::uint64_t seed) {
  BayesData data = truth.data;
  BayesOptions options{.dims = set.Q, .views = {{.likelihood = set.likelihood}}, .latent = {.dynamic = true}};
  if (s.chains > 1) options.chains = s.chains;
  if (s.warmup_given) options.warmup = s.warmup;
  if (s.draws_given) options.draws = s.draws;
  if (at_truth) {
    options.start = BayesStart::given;
    data.start = truth.X;
  }
  const std::clock_t before = std::clock();
  const BayesFit fit = fit_bayes(data, options, seed, s.threads);
  Found out{.seconds = double(std::clock() - before) / double(CLOCKS_PER_SEC)};
  out.left_out = static_cast<Index>(fit.left_out.size());
  out.r2 = affine_r2(fit.latent.mean, truth.X).mean;
  out.coverage = coverage(fit, truth, s.threads);
  out.level = fit.log_density.mean();
  const MixingSummary m = mixing(fit);
  out.rhat = m.function_rhat;
  out.worst_rhat = m.worst_rhat;
  out.ess = m.median_ess();
  out.worst_ess = 1e300;
  for (const BayesMonitor& monitor : fit.monitors)
    if (monitor.ess_bulk < out.worst_ess) {
      out.worst_ess = monitor.ess_bulk;
      out.slowest = monitor.name;
    }
  return out;
}

void print(const char* name, Index seed, const char* start, const Found& f) {
  std::printf("%-16s %4ld %-8s %7.3f %8.3f %9.1f %7.3f %7.3f %7.0f %7.0f %8ld %8.1f  %s\n", name, long(seed),
              start, f.r2, f.coverage, f.level, f.rhat, f.worst_rhat, f.ess, f.worst_ess, long(f.left_out),
              f.seconds, f.slowest.c_str());
  std::fflush(stdout);
}

/// How many sets pass, of how many.
struct Passes {
  Index sets = 0, mode = 0, mixed = 0;
  double coverage = 0;
};

void compare(const char* name, const PathSet& set, const Settings& s, Index seed, Passes& passes) {
  const PathTruth truth = simulate_paths(set, Rng(static_cast<std::uint64_t>(seed)));
  const Found found = run(truth, set, false, s, 1);
  print(name, seed, "default", found);
  ++passes.sets;
  passes.mixed += found.rhat < 1.05;
  passes.coverage += found.coverage;
  if (!s.at_truth) return;
  const Found best = run(truth, set, true, s, 1);
  print(name, seed, "truth", best);
  passes.mode += found.r2 > best.r2 - 0.02;
}

void header() {
  std::printf("%-16s %4s %-8s %7s %8s %9s %7s %7s %7s %7s %8s %8s  %s\n", "set", "seed", "start", "R^2",
              "coverage", "log dens", "R-hat f", "largest", "ESS f", "lowest", "left out", "CPU s", "of");
}

}  // namespace

/// Spikes of place cells along a track: bumps of rates whose centres cover the path.
PathTruth simulate_spikes(Index N, Index J, Rng rng) {
  const Vector time = Vector::LinSpaced(N, 0, 1);
  const TimeGrid grid = make_time_grid(time);
  const Vector x = grid.unsorted(draw_states(path_steps({PathKind::matern32, 0.05, 1}, grid), rng).col(0));
  Matrix log_rate(N, J);
  for (Index j = 0; j < J; ++j) {
    const double centre = x.minCoeff() + rng.uniform() * (x.maxCoeff() - x.minCoeff()),
                 width = 0.3 + 0.4 * rng.uniform(), peak = std::log(1 + 4 * rng.uniform());
    log_rate.col(j) = (peak - 0.5 * ((x.array() - centre) / width).square()).max(-4);
  }
  const Matrix Y = draw_emission(PoissonEmission{}, log_rate, rng.split("counts"));
  return {{.data = join({make_view("spikes", Y)}), .axis = {.time = time}}, x, log_rate};
}

namespace {

/// The simulated spikes of [wu2017], with their true rates and latent.
PathTruth read_spikes(const std::string& folder) {
  const Matrix Y = read_array(folder, "lmt_simdata1", "spikes");
  return {{.data = join({make_view("spikes", Y)}), .axis = {.time = Vector::LinSpaced(Y.rows(), 0, 1)}},
          read_array(folder, "lmt_simdata1", "latent"),
          read_array(folder, "lmt_simdata1", "rates").array().max(1e-12).log()};
}

}  // namespace

void spikes(const Settings& s) {
  header();
  if (std::find(s.sets.begin(), s.sets.end(), "lmt") != s.sets.end()) {
    print("lmt_simdata1", 1, "default", run(read_spikes(s.data), {.N = 1000, .J = 50}, false, s, 1));
    return;
  }
  for (Index seed = 1; seed <= s.seeds; ++seed) {
    const PathTruth truth = simulate_spikes(s.rows, s.columns, Rng(static_cast<std::uint64_t>(seed)));
    const std::string name = std::to_string(s.rows) + " x " + std::to_string(s.columns);
    print(name.c_str(), seed, "default", run(truth, {.N = s.rows, .J = s.columns}, false, s, 1));
  }
}

void paths(const Settings& s) {
  header();
  const auto wanted = [&](const std::string& name) {
    return s.sets.empty() || std::find(s.sets.begin(), s.sets.end(), name) != s.sets.end();
  };
  Passes passes;
  for (Index seed = 1; seed <= s.seeds; ++seed)
    for (Index Q = 1; Q <= 3; ++Q) {
      const std::string p = "poisson-" + std::to_string(Q), n = "negbinom-" + std::to_string(Q);
      if (wanted(p)) compare(p.c_str(), {.J = 12 * Q, .Q = Q}, s, seed, passes);
      if (wanted(n))
        compare(n.c_str(), {.likelihood = BayesLikelihood::negbinom, .J = 12 * Q, .Q = Q}, s, seed, passes);
    }
  const double sets = std::max(1.0, double(passes.sets));
  if (s.at_truth)
    std::printf("R^2 within 0.02 of that of the start at the truth: %ld of %ld\n", long(passes.mode),
                long(passes.sets));
  std::printf("R-hat of f below 1.05: %ld of %ld; 90 %% intervals of f hold %.1f %%\n", long(passes.mixed),
              long(passes.sets), 100 * passes.coverage / sets);
}

}  // namespace bochner::bench
