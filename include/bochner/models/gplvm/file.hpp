#pragma once
#include <string>

#include "bochner/models/gplvm/gplvm.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

// A fitted latent variable model as a model file: ids, latents, kernels, what predictions need, options, seed and trace;
// no training data. What is read is what was written, to the last bit.
// Reading throws InputError of one sentence, with the file, if an entry is absent, of another kind or of a shape that
// does not fit the others.

ModelGroup gplvm_group(const GplvmFit& fit);
GplvmFit gplvm_from(const ModelGroup& group);

void write_gplvm(const std::string& path, const GplvmFit& fit);
GplvmFit read_gplvm(const std::string& path);

/// The state of a fit under way. `job` is whatever the caller wants to recognise it by: what is fitted to which data.
ModelGroup checkpoint_group(const GplvmCheckpoint& checkpoint, const std::string& job);
GplvmCheckpoint checkpoint_from(const ModelGroup& group);
std::string checkpoint_job(const ModelGroup& group);

void write_checkpoint(const std::string& path, const GplvmCheckpoint& checkpoint, const std::string& job);

}  // namespace bochner
