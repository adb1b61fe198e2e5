#pragma once
#include "bochner/data/row_source.hpp"
#include "bochner/data/scaling.hpp"
#include "bochner/likelihoods/any_likelihood.hpp"
#include "bochner/symmetry/input_map.hpp"

namespace bochner {

struct Survey {
  Scaling outputs;       // identity unless they are to be scaled
  Vector outcome_means;  // as they are
};

/// One pass over all rows: every input measured, every outcome one that the likelihood can have, and their scales. Fills
/// centre and scale of `inputs`; circles and spheres keep theirs. InputError that names row and column.
Survey survey(const RowSource& data, const std::vector<std::string>& outcomes,
              const AnyLikelihood& likelihood, InputScaling scaling, bool scale_outcomes, InputMap& inputs);

/// The same rows as the kernel sees them.
RowSource scaled(const RowSource& data, const InputMap& inputs, const Scaling& outputs);

}  // namespace bochner
