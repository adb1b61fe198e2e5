// The S-curve under counts [zhang2023, Fig. 2], beside principal components and non-negative factors.

#include <cstdio>

#include "bochner/assess/affine_r2.hpp"
#include "bochner/simulate/latent_views.hpp"
#include "parts.hpp"

namespace bochner::bench {
namespace {

/// Y = W H, both non-negative, by multiplicative updates of the squared error [lee2001].
Matrix non_negative_factors(const Matrix& Y, Index Q) {
  Rng rng(1);
  Matrix W = rng.normal(Y.rows(), Q).cwiseAbs(), H = rng.normal(Q, Y.cols()).cwiseAbs();
  for (int i = 0; i < 500; ++i) {
    H.array() *= (W.transpose() * Y).array() / ((W.transpose() * W) * H).array().max(1e-12);
    W.array() *= (Y * H.transpose()).array() / (W * (H * H.transpose())).array().max(1e-12);
  }
  return W;
}

}  // namespace

void curve(const Settings& s) {
  struct Case {
    const char* name;
    BayesLikelihood likelihood;
    Emission emission;
  };
  std::printf("%-12s %18s %18s %18s %10s\n", "likelihood", "R^2", "PCA", "NMF", "seconds");
  for (const Case& c : {Case{"poisson", BayesLikelihood::poisson, PoissonEmission{}},
                        Case{"negbinom", BayesLikelihood::negbinom, NegativeBinomialEmission{}},
                        Case{"multinomial", BayesLikelihood::multinomial, MultinomialEmission{}}}) {
    std::vector<double> ours, pca, nmf;
    const Stopwatch watch;
    for (Index seed = 1; seed <= s.seeds; ++seed) {
      SCurveViews recipe;  // N = 500, J = 100
      recipe.views[0].emission = c.emission;
      const Simulated truth = simulate_views(recipe, Rng(std::uint64_t(seed)), s.threads);
      const Matrix& Y = truth.data.view(Index{0}).Y;
      const BayesFit fit = fit_bayes({truth.data},
                                     {.views = {{.likelihood = c.likelihood}},
                                      .chains = 2,
                                      .warmup = s.warmup,
                                      .draws = s.draws,
                                      .stored = 10},
                                     std::uint64_t(seed), s.threads);
      ours.push_back(affine_r2(fit.latent.mean, truth.X).mean);
      pca.push_back(affine_r2(principal_components(Y, 2, ScalingKind::centre, s.threads), truth.X).mean);
      nmf.push_back(affine_r2(non_negative_factors(Y, 2), truth.X).mean);
    }
    std::printf("%-12s %18s %18s %18s %10.0f\n", c.name, mean_sd(ours).c_str(), mean_sd(pca).c_str(),
                mean_sd(nmf).c_str(), watch.seconds() / double(s.seeds));
    std::fflush(stdout);
  }
}

}  // namespace bochner::bench
