#pragma once
#include <string>

#include "bochner/models/gplvm/gplvm.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

// A fitted latent variable model as a model file: ids, latents, kernels, what predictions need, options, seed and trace;
// no training data. What is read is what was written, to the last bit.
// Reading throws InputError, with the file, if an entry is absent, of another kind or of a shape that
// does not fit the others.

ModelGroup gplvm_group(const GplvmFit& fit);
GplvmFit gplvm_from(const ModelGroup& group);

void write_gplvm(const std::string& path, const GplvmFit& fit);
GplvmFit read_gplvm(const std::string& path);

/// The steps that a checkpoint (GplvmProgress) has behind it, of the start under way. InputError if it is something else.
Index gplvm_checkpoint_steps(const ModelGroup& checkpoint);
/// A checkpoint before the first step, of any fit.
ModelGroup gplvm_checkpoint_of_the_beginning();

}  // namespace bochner
