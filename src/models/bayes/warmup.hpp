#pragma once
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// Of a warm-up that ends when it should: chains are compared and selected as in a warm-up of `exploring_sweeps`, and then asked
/// every so often whether they have settled.
inline constexpr Index exploring_sweeps = 200, asking_every = 50;

/// Whether chains have settled, by what each has done since they were selected (one vector each, of one length, at least 4): in
/// the second half of these sweeps no chain climbs or falls (R-hat of its log posteriors up to 1.1), chains that are as high as
/// the best agree (up to 1.1, too), and no step size has moved by more than a fifth. Chains that stay lower do not hold up the
/// others: they sit in another mode, in which no further sweep of warm-up helps.
bool settled(const std::vector<Vector>& levels, const std::vector<Vector>& log_steps);

}  // namespace bochner
