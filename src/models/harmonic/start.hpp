#pragma once
#include <string>
#include <vector>

#include "bochner/models/harmonic/fit.hpp"
#include "bochner/models/harmonic/layer_plan.hpp"
#include "uphill.hpp"

namespace bochner {

/// Where learning begins, and in which units it moves.
struct HarmonicStart {
  HarmonicGp gp;
  Learning learning;
  bool ard = false;  // a length-scale for each column of the last layer
  std::vector<std::string> notes{};
};

/// From rows of inputs as the kernel sees them (`some`), the layers that `options` ask for and symmetries as words.
///
///   inducing points   k-means of the inputs of their layer; of patches for convolutions and sums over patches
///   length-scales     the median distance between those inputs
///   hidden layers     dense: the prior mean is the input itself, its first principal directions where the layer narrows, zeros added
///                     where it widens; convolutions: the middle pixel of a window. They start almost deterministic.
///   inputs of higher layers   rows through the prior means; images through random convolutions, since most maps have prior mean 0
///
/// InputError for a symmetry that a layer cannot have.
HarmonicStart start_harmonic(const HarmonicFitOptions& options, const AnyLikelihood& likelihood,
                             const std::vector<std::string>& symmetries,
                             const std::vector<std::string>& columns, MatrixIn some, const Rng& rng,
                             const Compute& compute);

/// Symmetries must leave the kernel alone wherever learning takes it, not only where it starts.
void check_while_learning(const AnyKernel& kernel, const TiedParameters& tied,
                          const std::vector<Symmetry>& symmetries, MatrixIn X, Rng rng);

}  // namespace bochner
