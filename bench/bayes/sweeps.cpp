// Time per sweep, and what the draws are worth.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <limits>

#include "bochner/assess/convergence.hpp"
#include "bochner/models/bayes/assess.hpp"
#include "bochner/models/bayes/names.hpp"
#include "bochner/simulate/latent_views.hpp"
#include "parts.hpp"

namespace bochner::bench {
namespace {

struct Case {
  const char* name;
  BayesLikelihood likelihood;
  Emission emission;
  double conference,
      journal;  // seconds a sweep of the authors' two programs on two threads (one for the second); 0: none
};

const std::vector<Case> cases{
    {"gaussian", BayesLikelihood::gaussian, GaussianEmission{}, 0.51, 14.9},
    {"poisson", BayesLikelihood::poisson, PoissonEmission{}, 0.76, 0.68},
    {"negbinom", BayesLikelihood::negbinom, NegativeBinomialEmission{}, 1.22, 8.3},
    {"binomial", BayesLikelihood::binomial, BinomialEmission{}, 0, 0},
    {"multinomial", BayesLikelihood::multinomial, MultinomialEmission{}, 0.98, 1.1}};

Matrix simulated(const Emission& emission, Index N, Index M) {
  SCurveViews recipe;
  recipe.curve.N = N;
  recipe.views[0].M = M;
  recipe.views[0].emission = emission;
  return simulate_views(recipe, Rng(1), Threads(2)).data.view(Index{0}).Y;
}

struct Timing {
  double seconds = 0;  // a sweep, the median
  double ess = 0;      // of predicted f, the median, for each second of sampling
};

/// The median of the times between sweeps, latents moving; starts and settling do not count.
Timing time_sweeps(BayesData data, BayesLikelihood likelihood, Index draws, const Threads& threads) {
  if (likelihood == BayesLikelihood::binomial) data.trials = {Matrix::Constant(1, 1, 10)};
  const BayesOptions options{.views = {{.likelihood = likelihood}},
                             .chains = 1,
                             .warmup = draws < 50 ? 4 : 60,
                             .draws = draws,
                             .start = BayesStart::pca};
  std::vector<double> times;
  double last = 0;
  const Stopwatch watch;
  const BayesFit fit = fit_bayes(data, options, 1, threads, {.on_sweep = [&](const BayesProgress& now) {
                                   const double t = watch.seconds();
                                   if (!now.warming) times.push_back(t - last);
                                   last = t;
                                   return true;
                                 }});
  double total = 0;
  for (const double t : times) total += t;
  std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
  return {times[times.size() / 2], draws < 50 ? 0 : mixing(fit).median_ess() / total};
}

}  // namespace

void sweeps(const Settings& s) {
  std::printf("%-12s %10s %10s %14s %12s %12s %14s\n", "likelihood", "1 thread", "2 threads", "ESS of f / s",
              "conference", "journal", "");
  for (const Case& c : cases) {
    const BayesData data = one_view(simulated(c.emission, 500, 100));
    const Timing one = time_sweeps(data, c.likelihood, 20, Threads(1)),
                 two = time_sweeps(data, c.likelihood, std::max<Index>(s.draws, 50), Threads(2));
    std::printf("%-12s %7.1f ms %7.1f ms %14.2f", c.name, 1e3 * one.seconds, 1e3 * two.seconds, two.ess);
    if (c.conference > 0)
      std::printf(" %9.1f x  %9.1f x", c.conference / two.seconds, c.journal / two.seconds);
    std::puts("");
    if (c.likelihood == BayesLikelihood::poisson) {
      const Index draws = std::max<Index>(s.draws, 50);
      const double theirs =
          joint_ellipse_ess(data.data.view(Index{0}).Y, 60, draws) / (c.journal * double(draws));
      std::printf(
          "%-12s one ellipse for all weights, %.2f s a sweep: %.3f ESS of f / s; ours %.0f times that\n", "",
          c.journal, theirs, two.ess / theirs);
    }
    std::fflush(stdout);
  }
}

void worth(const Settings& s) {
  const std::vector<std::pair<const char*, const char*>> kinds{{"f", "f "},
                                                               {"distance", "distance of"},
                                                               {"length-scale", "length-scale"},
                                                               {"variance", "variance"},
                                                               {"amplitude", "amplitude"}};
  std::printf("%-12s %12s", "likelihood", "ms a sweep");
  for (const auto& [name, prefix] : kinds) std::printf(" %12s", name);
  std::printf(" %12s  %s\n", "slowest", "of");
  for (const auto likelihood : {BayesLikelihood::gaussian, BayesLikelihood::poisson,
                                BayesLikelihood::negbinom, BayesLikelihood::multinomial}) {
    const PathTruth truth = simulate_paths({.likelihood = likelihood, .J = 24, .Q = 2}, Rng(1));
    const BayesOptions options{.views = {{.likelihood = likelihood}},
                               .latent = {.dynamic = true},
                               .chains = s.chains,
                               .warmup = s.warmup,
                               .draws = s.draws};
    std::clock_t begun = 0;
    const BayesFit fit =
        fit_bayes(truth.data, options, 1, s.threads, {.on_sweep = [&](const BayesProgress& now) {
                    if (now.sweep == s.warmup) begun = std::clock();
                    return true;
                  }});
    const double seconds = double(std::clock() - begun) / double(CLOCKS_PER_SEC);
    std::printf("%-12s %12.1f", to_text(likelihood).c_str(), 1e3 * seconds / double(fit.draws));
    for (const auto& [name, prefix] : kinds) {
      double lowest = std::numeric_limits<double>::infinity();
      for (const BayesMonitor& m : fit.monitors)
        if (m.name.starts_with(prefix)) lowest = std::min({lowest, m.ess_bulk, m.ess_tail});
      std::printf(" %12.2f", lowest / seconds);
    }
    const MixingSummary m = mixing(fit);
    std::printf(" %12.2f  %s\n", m.worst_ess / seconds, m.slowest.c_str());
    std::fflush(stdout);
  }
}

void scaling(const Settings& s) {
  std::printf("%-12s %10s %10s %14s\n", "likelihood", "samples", "a sweep", "per sample");
  for (const Case& c : {cases[0], cases[1], cases[2]})
    for (const Index N : {500, 5000, 50000}) {
      // Rows of a small table, again and again: the time does not know the difference.
      const Matrix few = simulated(c.emission, 500, 100);
      const Timing t = time_sweeps(one_view(few.replicate(N / 500, 1)), c.likelihood, 3, s.threads);
      std::printf("%-12s %10ld %7.0f ms %11.1f us\n", c.name, long(N), 1e3 * t.seconds,
                  1e6 * t.seconds / double(N));
      std::fflush(stdout);
    }
}

}  // namespace bochner::bench
