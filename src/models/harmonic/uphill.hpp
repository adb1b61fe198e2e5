#pragma once
#include <vector>

#include "bochner/infer/adam.hpp"
#include "bochner/models/harmonic/fit.hpp"
#include "bound.hpp"
#include "tied_parameters.hpp"

namespace bochner {

/// How a layer is learned.
struct LayerLearning {
  TiedParameters tied;  // what is free of its kernel
  Vector unit;  // in which its inducing points move: a step of Adam is about step_size of it, for each column
};

struct Learning {
  LayerLearning last;
  std::vector<LayerLearning> hidden{};
};

/// One step of Adam, uphill, in everything that is learned: kernels, likelihood, inducing points, weights of patches, hidden
/// posteriors, and with `posterior` that of the last layer. `states` grows to what it needs at the first step.
void step_uphill(HarmonicGp& gp, const HarmonicGradient& gradient, const Learning& learning,
                 const HarmonicFitOptions& options, bool posterior, double factor,
                 std::vector<AdamState>& states, const Compute& compute);

}  // namespace bochner
