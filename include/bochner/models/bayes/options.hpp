#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/priors/frequency_mixture.hpp"
#include "bochner/priors/markov_path.hpp"

namespace bochner {

/// How the entries of a table come from f_nj = b_j + phi(x_n)' beta_j.
enum class BayesLikelihood {
  gaussian,     // y ~ N(f, noise_j)
  poisson,      // y ~ Poisson(exp f)
  negbinom,     // y ~ NB(r_j, logistic f), mean r_j exp f
  binomial,     // y ~ Binomial(trials, logistic f)
  bernoulli,    // y ~ Binomial(1, logistic f)
  multinomial,  // a row given its total ~ softmax over its measured columns
  categorical   // each column is a label with its own softmax
};

/// Whether counts of that kind are compared to each other by a softmax.
constexpr bool is_softmax(BayesLikelihood likelihood) {
  return likelihood == BayesLikelihood::multinomial || likelihood == BayesLikelihood::categorical;
}

/// Whether rows of such counts may have exposures, to which means are proportional.
constexpr bool has_exposure(BayesLikelihood likelihood) {
  return likelihood == BayesLikelihood::poisson || likelihood == BayesLikelihood::negbinom;
}

/// What is believed before any data. G(a, b): gamma with rate b; IG(a, b): inverse gamma with scale b.
struct BayesPriors {
  FrequencyPrior frequencies{};
  double amplitude_shape = 2, amplitude_scale = 1;  // variance of f - b ~ IG, one for each view
  double intercept_sd = 1;                          // b_j ~ N(its column alone, sd^2)
  double covariate_sd = 1;                          // of coefficients of covariates ~ N(0, sd^2)
  double noise_shape = 2, noise_scale = 0.5;        // noise_j ~ IG, of a scaled column
  double dispersion_shape = 1;                      // r_j ~ G(shape, h) [zhang2023, Eq. 29]
  double rate_shape = 1, rate_rate = 1;             // h ~ G
  double ell_median = 0,
         log_ell_sd = 0;  // log ell of a path ~ N(log median, sd^2); 0: length_scale_prior of its times
  double path_variance_shape = 3, path_variance_scale = 2;  // of a path ~ IG
};

/// Where x_n come from.
struct LatentPrior {
  bool dynamic = false;                // false: N(0, I), row by row
  PathKind kind = PathKind::matern32;  // of each dimension over time
};

/// What one view has of its own.
struct BayesViewOptions {
  BayesLikelihood likelihood = BayesLikelihood::gaussian;
  ScalingKind scaling = ScalingKind::standardise;  // of Gaussian views
};

/// Where a chain begins.
enum class BayesStart {
  automatic,  // chains begin at different places (chain_starts)
  variational,  // at the latents of a variational fit to the table, counts as logarithms, with time smoothed over it
  isomap,    // at distances along the data, of the same table; principal components beyond 4 dimensions
  spectral,  // at eigenvectors of affinities, of the same table
  pca,       // at its principal components
  random,    // at a draw from the prior
  given      // at latents that the caller has
};

/// A warm-up that ends when chains have settled, at most `longest_warmup` sweeps.
inline constexpr Index until_settled = -1, longest_warmup = 3000;

struct BayesOptions {
  Index dims = 2;                         // Q
  Index frequencies = 50;                 // L of each view: 2 L features
  std::vector<BayesViewOptions> views{};  // of each view; none: all Gaussian
  LatentPrior latent{};
  BayesPriors priors{};

  Index chains = 4;
  Index warmup =
      300;  // sweeps that are not kept: the sampler finds its way and its step sizes; or until_settled
  Index draws = 250;   // of each chain, kept ..
  Index thin = 1;      // .. after every so many sweeps
  Index stored = 200;  // of all chains together: what the model predicts from
  BayesStart start = BayesStart::automatic;
  std::vector<BayesStart> starts{};  // of chains in turn; none: all at `start`
};

}  // namespace bochner
