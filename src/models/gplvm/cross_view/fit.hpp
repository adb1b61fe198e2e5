#pragma once
#include <optional>

#include "inputs.hpp"

namespace bochner {

/// fit_cross_view from rows that several targets share; nothing if no sample has the target and all of `seen`.
std::optional<CrossViewPredictor> fit_cross_view(const GplvmFit& fit, const Dataset& data,
                                                 const SeenRows& seen, const std::string& target,
                                                 const Rng& rng, const Compute& compute);

}  // namespace bochner
