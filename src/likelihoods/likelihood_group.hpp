#pragma once
#include "bochner/likelihoods/any_likelihood.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

/// A likelihood as entries of a model file: its name, and its parameters as it holds them, so that every bit comes back.
ModelGroup likelihood_group(const AnyLikelihood& likelihood);

/// InputError if an entry is absent or out of bounds.
AnyLikelihood likelihood_from(const ModelGroup& group);

}  // namespace bochner::detail
