#pragma once
#include <vector>

#include "model.hpp"
#include "state.hpp"

namespace bochner {

/// log p(tables, state) up to a constant: likelihood and prior of everything that WhitenedState holds, in its coordinates, of
/// noise and dispersions (of their logarithms), and of the length-scales of paths. A volume there does not depend on amplitudes or length-scales, so that modes can be compared.
struct Level {
  double value = 0;
  /// theta' grad log p + dim: zero on average over the posterior, and over every mode that is left nowhere (Stein's identity).
  double identity = 0;
};
Level log_posterior(const BayesModel& model, const BayesState& state, const Rng& rng, const Compute& compute);

/// Log posteriors of chains, a vector each, less the multiple of the identities that leaves the least noise in them. A log posterior varies
/// by the root of half the number of weights, of which most are drawn from their prior: -z^2 / 2 each, and so does the identity,
/// 1 - z^2. Means stay.
std::vector<Vector> less_noisy(std::vector<Vector> levels, const std::vector<Vector>& identities);

/// Which of several chains on their way to the posterior go on, best first, given their log posteriors (one vector each):
/// those whose mean is within a standard deviation of the best, or of 5.
std::vector<Index> going_on(const std::vector<Vector>& levels);

/// Chains that sit in a clearly lower mode than the best one: their mean log posterior is lower by more than 5 and by three
/// standard errors, and they do not agree with it about `shared` quantities (one matrix for each, chains x draws; an R-hat
/// of the two alone above 1.2). Ascending.
std::vector<Index> lower_chains(const Matrix& levels, const std::vector<Matrix>& shared);

}  // namespace bochner
