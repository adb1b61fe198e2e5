#pragma once
#include "bochner/models/harmonic/gp.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

// The layers of a deep GP and its windows of images, as the files of harmonic fits have them. Reading throws InputError, with the
// file, for what is absent or of a shape that does not fit.

/// "count" and a group for each layer from the inputs up. Reading checks that each layer takes what the one below it gives.
ModelGroup hidden_group(const std::vector<HiddenLayer>& hidden);
std::vector<HiddenLayer> hidden_from(const ModelGroup& group);

ModelGroup patch_sum_group(const PatchSum& sum);
PatchSum patch_sum_from(const ModelGroup& group);

}  // namespace bochner::detail
