#pragma once
#include "bochner/priors/markov_path.hpp"

namespace bochner {

// A path in coordinates that are independent N(0, 1) a priori, whatever its length-scale: s_n = A_n s_(n-1) + Q_n e_n. Moves
// that keep e while the length-scale changes are those of the non-centred parametrisation [papaspiliopoulos2007].

/// e (N x p) of states in natural units. Directions in which Q has no width get 0.
Matrix innovations_of(const std::vector<PathStep>& steps, const PathStates& states);

/// The states of innovations (N x p): the inverse of the above.
PathStates states_of(const std::vector<PathStep>& steps, MatrixIn innovations);

/// d/de of a function of the first column of the states, given its gradient there (N): one pass backwards.
Matrix pull_innovations(const std::vector<PathStep>& steps, VectorIn gradient);

}  // namespace bochner
