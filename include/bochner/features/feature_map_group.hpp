#pragma once
#include "bochner/features/any_feature_map.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner {

/// A feature map as entries of a model file; what is read is what was written, to the last bit.
ModelGroup feature_map_group(const AnyFeatureMap& map);

/// InputError if an entry is absent or has the wrong shape.
AnyFeatureMap feature_map_from(const ModelGroup& group, Index D);

}  // namespace bochner
