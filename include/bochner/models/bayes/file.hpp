#pragma once
#include <string>

#include "bochner/models/bayes/bayes.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

// A fitted Bayesian latent variable model as a model file: ids, stored draws, options, seed, how chains agreed; no training
// data. What is read is what was written, to the last bit. Reading throws InputError, with the file.

ModelGroup bayes_group(const BayesFit& fit);
BayesFit bayes_from(const ModelGroup& group);

void write_bayes(const std::string& path, const BayesFit& fit);
BayesFit read_bayes(const std::string& path);

/// How far a checkpoint (BayesProgress) has come.
struct BayesCheckpointProgress {
  Index sweeps = 0;         // of every chain
  Index draws = 0;          // taken, of all chains together
  bool start_done = false;  // the latents that chains begin at are found
};
/// InputError if it is something else.
BayesCheckpointProgress bayes_checkpoint_progress(const ModelGroup& checkpoint);

}  // namespace bochner
