#pragma once
#include "src/models/bayes/state.hpp"

namespace bochner {

/// The mixture of a view after the latents were turned by R (Q x Q): w'x stays. Components are in the order of their weights, so
/// that a label means the same in every draw as far as that is possible.
SpectralDraw spectrum_of(const BayesViewState& view, const Matrix& R);

}  // namespace bochner
