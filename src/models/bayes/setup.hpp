#pragma once
#include "bochner/models/bayes/bayes.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "sweep.hpp"

namespace bochner {

/// Throws std::invalid_argument or std::domain_error for options that do not fit the data.
void check_bayes_options(const BayesData& data, const BayesOptions& options);

/// The tables as the sampler sees them, Gaussian ones scaled, and everything else that stays.
BayesModel make_bayes_model(const BayesData& data, const BayesOptions& options);

/// The model whose latents chains begin at.
GplvmOptions start_options(const BayesOptions& options, Index samples);

/// Where chains begin; X is also the frame to which draws are turned. `hooks` are of the variational start.
BayesBeginning find_beginning(const BayesData& data, const BayesModel& model, const BayesOptions& options,
                              std::uint64_t seed, const Compute& compute, const GplvmHooks& hooks);

/// The views of a fit before it has draws.
std::vector<BayesViewFit> empty_views(const BayesData& data, const BayesOptions& options);

}  // namespace bochner
