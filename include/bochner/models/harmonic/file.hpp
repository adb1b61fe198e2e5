#pragma once
#include <string>

#include "bochner/models/harmonic/fit.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

// A fitted harmonic GP ('bochner regress', 'bochner classify') as a model file: kernel, likelihood, motions, inducing points,
// posterior, scaling, names, options, seed and trace; no training data but the inducing points. What is read is what was
// written, to the last bit. Motions that only swap columns and turn signs are kept as columns and signs.
// Reading throws InputError, with the file, if an entry is absent, of another kind or of a shape that does
// not fit the others.

ModelGroup harmonic_group(const HarmonicFit& fit);
HarmonicFit harmonic_from(const ModelGroup& group);

void write_harmonic(const std::string& path, const HarmonicFit& fit);
HarmonicFit read_harmonic(const std::string& path);

/// The steps that a checkpoint (HarmonicProgress) has behind it. InputError if it is something else.
Index harmonic_checkpoint_steps(const ModelGroup& checkpoint);

}  // namespace bochner
