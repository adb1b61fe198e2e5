#pragma once
#include <vector>

#include "model.hpp"
#include "state.hpp"

namespace bochner {

/// log p(tables, state) up to a constant: likelihood and prior of everything that WhitenedState holds, in its coordinates, and
/// of the length-scales of paths. A volume there does not depend on amplitudes or length-scales, so that modes can be compared.
double log_posterior(const BayesModel& model, const BayesState& state, const Rng& rng,
                     const Compute& compute);

/// Which of several chains on their way to the posterior go on, best first, given their log posteriors (one vector each):
/// those whose mean is within a standard deviation of the best, or of 5.
std::vector<Index> going_on(const std::vector<Vector>& levels);

/// Chains that sit in a clearly lower mode than the best one: their mean log posterior is lower by more than 5 and by three
/// standard errors, and they do not agree with it about `shared` quantities (one matrix for each, chains x draws; an R-hat
/// of the two alone above 1.2). Ascending.
std::vector<Index> lower_chains(const Matrix& levels, const std::vector<Matrix>& shared);

}  // namespace bochner
