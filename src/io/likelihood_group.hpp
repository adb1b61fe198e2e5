#pragma once
#include "bochner/io/model_file.hpp"
#include "bochner/likelihoods/any_likelihood.hpp"

namespace bochner::io {

/// A likelihood as entries of a model file: its name, and its parameters as it holds them, so that every bit comes back.
ModelGroup likelihood_group(const AnyLikelihood& likelihood);

/// InputError if an entry is absent or out of bounds.
AnyLikelihood likelihood_from(const ModelGroup& group);

}  // namespace bochner::io
