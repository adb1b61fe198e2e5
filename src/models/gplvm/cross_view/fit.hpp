#pragma once
#include <optional>

#include "shared_inputs.hpp"

namespace bochner {

/// fit_cross_view from rows that several targets share; nothing if no sample has the target and all of the views seen.
std::optional<CrossViewPredictor> fit_cross_view(const GplvmFit& fit, const Dataset& data,
                                                 SharedInputs& shared, const std::string& target,
                                                 const Rng& rng, const Compute& compute);

}  // namespace bochner
