#pragma once
#include "src/models/bayes/likelihood.hpp"

namespace bochner {

/// The variance of the weights: given them, and given them divided by its root, in which case f is scaled as a whole. The
/// first is exact but takes tiny steps when weights are many, the second sees the data.
void update_amplitude(const BayesTable& table, MatrixIn F, const BayesPriors& priors, BayesViewState& view,
                      Rng& rng, const Compute& compute);

/// Noise variances of Gaussian columns, dispersions of negative binomial ones [zhang2023, Eq. 30 and 31, corrected]; of
/// other likelihoods nothing.
void update_scale(const BayesTable& table, MatrixIn F, const BayesPriors& priors, BayesViewState& view,
                  const Rng& rng, const Compute& compute);

/// Dispersions of negative binomial columns once more, each with its intercept: r -> c r with b -> b - log c leaves all means
/// r exp(f) alone, and the data say little about where on that line a column is. Changes the last row of the weights.
void slide_dispersions(const BayesTable& table, MatrixIn F, const BayesPriors& priors, BayesViewState& view,
                       const Rng& rng, const Compute& compute);

/// Noise variances or dispersions from the prior, with the rate of the latter.
void draw_scale(const BayesTable& table, const BayesPriors& priors, BayesViewState& view, Rng& rng);

/// What log p(table, scale, rate) has beyond f, of logarithms of scales and of the rate, up to a constant: normalisers of the
/// likelihood, and priors. 0 for likelihoods without scales.
double log_scale_density(const BayesTable& table, const BayesPriors& priors, const BayesViewState& view);

}  // namespace bochner
