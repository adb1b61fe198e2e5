#pragma once
#include "bochner/models/bayes/bayes.hpp"
#include "bochner/models/gplvm/gplvm.hpp"
#include "sweep.hpp"

namespace bochner {

/// The model whose latents chains begin at.
GplvmOptions start_options(const BayesOptions& options, Index samples);

/// One for each of chain_starts, and the same again from the first where there are more chains; random ones all differ. `hooks` are of the variational start.
std::vector<BayesBeginning> find_beginnings(const BayesData& data, const BayesModel& model,
                                            const BayesOptions& options, std::uint64_t seed,
                                            const Compute& compute, const GplvmHooks& hooks);

}  // namespace bochner
