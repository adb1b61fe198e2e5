// Tables with known truth: the S-curve of [li2024, Sec. 6.2] and [yang2025, Sec. 4.2].

#include <cmath>
#include <cstdio>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/simulate/latent_views.hpp"
#include "support.hpp"

namespace bochner::bench {
namespace {

Simulated simulate(std::vector<ViewRecipe> views, Index seed, const Settings& s,
                   const MissingOptions& missing = {}) {
  SCurveViews recipe;
  recipe.curve.N = 500;
  recipe.views = std::move(views);
  recipe.missing = missing;
  return simulate_views(recipe, Rng(std::uint64_t(100 + seed)), s.threads);
}

/// R^2 to the true latent, one number per seed.
std::vector<double> recovery(const std::vector<ViewRecipe>& views, const std::string& kernel,
                             const Settings& s) {
  std::vector<double> out;
  for (Index seed = 0; seed < (s.seeds ? s.seeds : 5); ++seed) {
    const Simulated truth = simulate(views, seed, s);
    GplvmOptions o = options(s);
    o.view.kernel = kernel;
    const GplvmFit fit = fit_gplvm(truth.data, o, std::uint64_t(seed), s.threads);
    out.push_back(affine_r2(fit.latent.mean, truth.X).mean);
  }
  return out;
}

void print_row(const char* data, const char* kernel, const std::vector<double>& r2, double seconds) {
  std::printf("%-16s %-6s %8.4f   ", data, kernel, mean(r2));
  for (const double x : r2) std::printf(" %.4f", x);
  std::printf("   %.1f s each\n", seconds / double(r2.size()));
}

/// Share of entries, among those that `where` picks, whose truth lies in its 90 % interval.
double inside(const Matrix& truth, const Matrix& mean, const Matrix& variance, const BoolMatrix& where) {
  constexpr double z = 1.6448536269514722;
  Index n = 0, hits = 0;
  for (Index i = 0; i < truth.size(); ++i)
    if (where.data()[i]) {
      ++n;
      if (std::abs(truth.data()[i] - mean.data()[i]) <= z * std::sqrt(variance.data()[i])) ++hits;
    }
  return double(hits) / double(n);
}

}  // namespace

void noise(const Settings& s) {
  std::puts("true variance   found / true, one per seed (N = 500, M = 50, RBF map)");
  for (const double sigma2 : {0.01, 0.05, 0.2, 1.0}) {
    std::printf("%-13g ", sigma2);
    for (Index seed = 0; seed < (s.seeds ? s.seeds : 3); ++seed) {
      const Simulated truth =
          simulate({{.name = "y", .M = 50, .emission = GaussianEmission{.noise_variance = sigma2}}}, seed, s);
      const GplvmFit fit = fit_gplvm(truth.data, options(s), std::uint64_t(seed), s.threads);
      const GplvmView& view = fit.views[0];
      // The mean over columns of the noise in the units of the table.
      const double found = view.noise_variance * view.scaling.scale.array().square().mean();
      std::printf("  %.3f", found / sigma2);
    }
    std::puts("");
  }
}

void scurve(const Settings& s) {
  std::puts("data             kernel mean R^2    per seed (N = 500, M = 100)");
  const std::pair<const char*, std::vector<ViewRecipe>> sets[] = {
      {"RBF", {{.name = "y", .kernel = rbf_map()}}},
      {"RBF + periodic", {{.name = "y", .kernel = rbf_periodic_map()}}},
      {"RBF and Gibbs", rbf_and_gibbs_views(100)}};
  for (const auto& [name, views] : sets)
    for (const char* kernel : {"ngsm", "sm", "rbf"}) {
      if (views.size() == 1 && std::string(kernel) != "ngsm") continue;
      const Stopwatch watch;
      const std::vector<double> r2 = recovery(views, kernel, s);
      print_row(name, kernel, r2, watch.seconds());
    }
}

void coverage(const Settings& s) {
  std::puts(
      "seed view     missing y   all f   (N = 500, M = 50, 20 % of entries and 10 % of samples missing)");
  for (Index seed = 0; seed < (s.seeds ? s.seeds : 5); ++seed) {
    const Simulated truth = simulate(rbf_and_gibbs_views(50), seed, s, {.samples = 0.1, .entries = 0.2});
    const GplvmFit fit = fit_gplvm(truth.data, options(s), std::uint64_t(seed), s.threads);
    for (std::size_t v = 0; v < fit.views.size(); ++v) {
      const Predictive p = predict(fit.views[v], fit.latent, s.threads);
      const BoolMatrix missing = !truth.data.mask(Index(v)).array();
      std::printf("%-4ld %-8s %.3f       %.3f\n", long(seed), fit.views[v].name.c_str(),
                  inside(truth.truth[v].Y, p.mean, p.y_variance, missing),
                  inside(truth.truth[v].F, p.mean, p.f_variance,
                         BoolMatrix::Constant(missing.rows(), missing.cols(), true)));
    }
  }
}

}  // namespace bochner::bench
