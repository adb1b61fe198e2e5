#pragma once
#include <utility>
#include <vector>

#include "bochner/assess/warning.hpp"
#include "bochner/models/latent/latent_posterior.hpp"

namespace bochner {

/// What is wrong with a latent space on its face. Dimensions count from 0.
struct LatentFaults {
  std::vector<Index> collapsed;                     // the same for every sample, or left at the prior
  std::vector<std::pair<Index, Index>> duplicated;  // two that say the same
  bool homogeneous = false;                         // all dimensions collapsed: samples cannot be told apart
};

/// Collapsed: the sd over samples of the latent mean is below 0.05 (the prior has 1), or every q(x) has an sd above 0.9.
/// Duplicated: |correlation| of the means above 0.98.
LatentFaults latent_faults(const LatentPosterior& latent);

/// The error that all samples lie in one place.
Warning homogeneous_warning();

}  // namespace bochner
