#pragma once
#include "bochner/likelihoods/any_likelihood.hpp"

namespace bochner {

/// Numbers with noise are standardised; counts, classes and 0/1 are what they are.
inline bool scales_outcomes(const AnyLikelihood& likelihood) {
  return has_outcome(likelihood) && !has_probabilities(likelihood) && !is_count(likelihood);
}

}  // namespace bochner
