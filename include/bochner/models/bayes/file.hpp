#pragma once
#include <string>

#include "bochner/models/bayes/bayes.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

// A fitted Bayesian latent variable model as a model file: ids, stored draws, options, seed, how chains agreed; no training
// data. What is read is what was written, to the last bit. Reading throws InputError of one sentence, with the file.

ModelGroup bayes_group(const BayesFit& fit);
BayesFit bayes_from(const ModelGroup& group);

void write_bayes(const std::string& path, const BayesFit& fit);
BayesFit read_bayes(const std::string& path);

/// The state of a fit under way; `job` is what the caller wants to recognise it by.
ModelGroup checkpoint_group(const BayesCheckpoint& checkpoint, const std::string& job);
BayesCheckpoint bayes_checkpoint_from(const ModelGroup& group);

}  // namespace bochner
