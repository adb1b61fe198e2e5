#pragma once
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// One Gaussian of a spectral density: N(mean, L L').
struct SpectralComponent {
  Vector mean;  // Q
  Matrix L;     // Q x Q, lower triangular
};

/// log N(w | mean, L L').
double log_density(const SpectralComponent& component, VectorIn w);

/// How angular frequencies are distributed before any data. Components have the base measure
///
///     Sigma ~ inverse Wishart(degrees, scale I),   mean | Sigma ~ N(0, Sigma / lambda)
///
/// and mixture weights a Dirichlet process with concentration alpha ~ Gamma(alpha_shape, rate alpha_rate)
/// [zhang2023, Eq. 21]. Without the process there is one component with mean zero: an RBF kernel whose length-scales
/// and orientation are learned.
struct FrequencyPrior {
  bool dirichlet = true;
  double lambda = 0;   // 0: Q, as the authors have it
  double degrees = 0;  // 0: Q + 1
  double scale = 1;
  double alpha_shape = 3, alpha_rate = 3;

  double lambda_for(Index Q) const { return lambda > 0 ? lambda : double(Q); }
  double degrees_for(Index Q) const { return degrees > 0 ? degrees : double(Q + 1); }
};

/// A draw of the mixture: which component each of L frequencies belongs to, and the components in use.
struct FrequencyMixture {
  std::vector<Index> member;  // L
  std::vector<SpectralComponent> components;
  double alpha = 1;

  const SpectralComponent& of(Index l) const {
    return components[static_cast<std::size_t>(member[static_cast<std::size_t>(l)])];
  }
};

/// A component from the base measure.
SpectralComponent draw_component(const FrequencyPrior& prior, Index Q, Rng& rng);

/// A mixture for L frequencies in Q dimensions from the prior.
FrequencyMixture draw_mixture(const FrequencyPrior& prior, Index L, Index Q, Rng& rng);

/// L x Q frequencies of a mixture.
Matrix draw_frequencies(const FrequencyMixture& mixture, Rng& rng);

/// A component given the frequencies that belong to it [zhang2023, Eq. 24, corrected: the last term is that of their
/// mean, once].
SpectralComponent draw_component(const FrequencyPrior& prior, MatrixIn members, Rng& rng);

/// One Gibbs sweep of members [neal2000, Alg. 8], components and concentration [escobar1995] given the frequencies W
/// (L x Q). [zhang2023, Eq. 25] counts features where it must count frequencies.
FrequencyMixture update_mixture(FrequencyMixture mixture, MatrixIn W, const FrequencyPrior& prior, Rng& rng);

}  // namespace bochner
