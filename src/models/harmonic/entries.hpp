#pragma once
#include <vector>

#include "bochner/models/harmonic/fit.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

// The pieces that the files of harmonic fits and of their checkpoints share. Reading throws InputError, with the
// file, if an entry is absent, of another kind or of a shape that does not fit the others.

ModelGroup harmonic_gp_group(const HarmonicGp& gp);
HarmonicGp harmonic_gp_from(const ModelGroup& group);

/// "trace_steps" and "trace" (bound, validation).
void set_trace(ModelGroup& group, const std::vector<HarmonicStep>& trace);
std::vector<HarmonicStep> harmonic_trace_from(const ModelGroup& group);

/// For each of H groups a list of m x m matrices, one or one for each of P functions: name_0_0, name_0_1, .., and name_counts.
void set_squares(ModelGroup& group, const std::string& name, const std::vector<std::vector<Matrix>>& lists);
std::vector<std::vector<Matrix>> squares_from(const ModelGroup& group, const std::string& name, Index H,
                                              Index P, Index m);

/// For each of H groups one m x P matrix: name_0, name_1, ..
void set_each(ModelGroup& group, const std::string& name, const std::vector<Matrix>& list);
std::vector<Matrix> each_from(const ModelGroup& group, const std::string& name, Index H, Index m, Index P);

/// A finite matrix of this shape.
Matrix matrix_from(const ModelGroup& group, const std::string& name, Index rows, Index cols);

/// "jitter", not negative.
double jitter_from(const ModelGroup& group);

}  // namespace bochner::detail
