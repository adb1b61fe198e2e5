#pragma once
#include <vector>

#include "bochner/store/model_file.hpp"
#include "bochner/symmetry/symmetry.hpp"

namespace bochner::detail {

/// Motions as entries of a model file: "b" (G x D), columns and signs of those that only swap columns and turn signs
/// ("from", "sign", one row each), and the matrices of the others, whose numbers are "dense", one below the other ("A").
ModelGroup motions_group(const std::vector<Motion>& motions);

/// At least one, all of D dimensions. InputError if an entry is absent, has the wrong shape or is no motion.
std::vector<Motion> motions_from(const ModelGroup& group, Index D);

}  // namespace bochner::detail
