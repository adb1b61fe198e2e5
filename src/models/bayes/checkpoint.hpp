#pragma once
#include <optional>
#include <vector>

#include "bochner/store/model_file.hpp"
#include "state.hpp"

namespace bochner::detail {

/// Everything that a fit carries: what BayesProgress::checkpoint holds.
struct BayesCheckpoint {
  Index sweeps = 0;                          // done, of every chain
  Index warmup = 0;                          // at which warm-up ends, as far as is known; 0: as options say
  std::vector<BayesChain> chains{};          // empty before the first sweep
  std::optional<ModelGroup> start{};         // the variational start, while it is under way
  std::vector<BayesBeginning> beginnings{};  // what was found, once all are
  Matrix frame{};                            // to which draws are turned; empty: the first beginning
};

ModelGroup checkpoint_group(const BayesCheckpoint& checkpoint);
/// InputError, with the file, if the group is something else or its parts do not fit together.
BayesCheckpoint bayes_checkpoint_from(const ModelGroup& group);

}  // namespace bochner::detail
