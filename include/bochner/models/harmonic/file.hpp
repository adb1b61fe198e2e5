#pragma once
#include <string>

#include "bochner/models/harmonic/fit.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

// A fitted harmonic GP ('bochner regress', 'bochner classify') as a model file: kernel, likelihood, motions, inducing points,
// posterior, scaling, names, options, seed and trace; no training data but the inducing points. What is read is what was
// written, to the last bit. Motions that only swap columns and turn signs are kept as columns and signs.
// Reading throws InputError of one sentence, with the file, if an entry is absent, of another kind or of a shape that does
// not fit the others.

ModelGroup harmonic_group(const HarmonicFit& fit);
HarmonicFit harmonic_from(const ModelGroup& group);

void write_harmonic(const std::string& path, const HarmonicFit& fit);
HarmonicFit read_harmonic(const std::string& path);

/// The state of a fit under way. `job` is whatever the caller wants to recognise it by: what is fitted to which data. The best
/// posterior so far is kept if there is one (best_step >= 0); where there is none, `best_gp` is read as `gp`.
ModelGroup harmonic_checkpoint_group(const HarmonicCheckpoint& checkpoint, const std::string& job);
HarmonicCheckpoint harmonic_checkpoint_from(const ModelGroup& group);
std::string harmonic_checkpoint_job(const ModelGroup& group);

void write_harmonic_checkpoint(const std::string& path, const HarmonicCheckpoint& checkpoint,
                               const std::string& job);

}  // namespace bochner
