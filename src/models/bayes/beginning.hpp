#pragma once
#include "bochner/models/bayes/bayes.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "sweep.hpp"

namespace bochner {

/// The model whose latents chains begin at.
GplvmOptions start_options(const BayesOptions& options, Index samples);

/// Where chains begin; X is also the frame to which draws are turned. `hooks` are of the variational start.
BayesBeginning find_beginning(const BayesData& data, const BayesModel& model, const BayesOptions& options,
                              std::uint64_t seed, const Compute& compute, const GplvmHooks& hooks);

}  // namespace bochner
