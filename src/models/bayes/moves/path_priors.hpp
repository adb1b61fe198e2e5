#pragma once
#include "src/models/bayes/likelihood.hpp"

namespace bochner {

/// What w_d -> w_d / c for all frequencies of a mixture does to the prior of their components: exp(-c^2 rate / 2) c^power, for
/// the measure dc / c. That of the frequencies given them does not change.
struct ComponentStretch {
  double power = 0, rate = 0;
};
ComponentStretch stretch_of(const FrequencyMixture& mixture, const FrequencyPrior& prior, Index d);

/// The components of frequencies that are multiplied by a factor in dimension d.
void stretch(FrequencyMixture& mixture, Index d, double factor);

/// Length-scale and variance of each path given X.
void update_path_priors(BayesState& state, const TimeGrid& grid, const BayesPriors& priors, Rng& rng);

/// Moves along which the likelihood does not change [liu2000]: x_d -> c x_d with w_d -> w_d / c, and x_d -> x_d + s with
/// the weights of each frequency turned by w s. Both are drawn exactly. Rows alone would take long ways to do the same.
void update_scale_and_shift(BayesState& state, const TimeGrid* grid, const BayesPriors& priors, Rng& rng);

/// x_d -> c x_d with its variance times c^2 and w_d -> w_d / c: neither the likelihood nor the path relative to its variance
/// changes, and c is as free as the priors of variances and frequencies leave it.
void stretch_paths(BayesState& state, const BayesPriors& priors, Rng& rng);

/// Length-scales with the innovations of the paths fixed, so that paths follow them [papaspiliopoulos2007]. Given paths alone
/// (update_path_priors) a length-scale can only move as far as it still explains them.
void bend_paths(BayesState& state, const TimeGrid& grid, const std::vector<BayesTable>& tables,
                const BayesPriors& priors, Rng& rng, const Compute& compute);

}  // namespace bochner
