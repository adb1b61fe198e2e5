// How long the components take, and where primal and dual cross.

#include <sys/resource.h>

#include <cmath>
#include <cstdio>

#include "bochner/models/kpca/kpca.hpp"
#include "bochner/tables/npy.hpp"
#include "parts.hpp"

namespace bochner::bench {
namespace {

/// Correlated columns, as measurements are: 64 of them.
Matrix samples(Index n) { return Rng(2).normal(n, 64) * Rng(3).normal(64, 64) / 8; }

double peak_gib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / (1 << 20);
}

}  // namespace

void components(const Settings& s) {
  std::puts("n       seconds   GiB    largest     20th");
  for (const Index n : s.sizes) {
    const Matrix X = samples(n);
    if (!s.folder.empty()) write_npy(s.folder + "/x_" + std::to_string(n) + ".npy", X);
    const Dataset data = join({make_view("x", X)});
    KpcaOptions o{.dims = 20};
    o.view.lengthscale = 8;
    o.view.scaling = ScalingKind::none;
    double best = 1e300;
    KpcaFit fit;
    for (int repeat = 0; repeat < (n <= 10000 ? 3 : 1); ++repeat) {
      const Stopwatch watch;
      fit = fit_kpca(data, o, 0, s.threads);
      best = std::min(best, watch.seconds());
    }
    std::printf("%-6ld  %7.3f  %5.2f  %11.6f  %11.6f\n", long(n), best, peak_gib(), fit.lambda(0),
                fit.lambda(19));
    std::printf("components_seconds %ld %.4f %.9f %.9f\n", long(n), best, fit.lambda(0), fit.lambda(19));
    std::fflush(stdout);
  }
}

void crossing(const Settings& s) {
  constexpr Index frequencies = 500;
  std::printf("%ld features, 20 components\nn       primal s  dual s   auto\n", long(2 * frequencies));
  for (const Index n : {250, 500, 1000, 2000, 4000, 8000}) {
    const Dataset data = join({make_view("x", samples(n))});
    KpcaOptions o{.dims = 20};
    o.view.lengthscale = 8;
    o.view.features = {.kind = FeatureSpec::Kind::random, .count = frequencies};
    const auto time = [&](KpcaSolver solver) {
      o.solver = solver;
      double best = 1e300;
      for (int repeat = 0; repeat < 3; ++repeat) {
        const Stopwatch watch;
        fit_kpca(data, o, 0, s.threads);
        best = std::min(best, watch.seconds());
      }
      return best;
    };
    const double primal = time(KpcaSolver::primal), dual = time(KpcaSolver::dual);
    const bool chosen = resolve(KpcaSolver::automatic, n, 2 * frequencies) == KpcaSolver::primal;
    std::printf("%-6ld  %7.3f   %7.3f  %s\n", long(n), primal, dual, chosen ? "primal" : "dual");
  }
}

}  // namespace bochner::bench
