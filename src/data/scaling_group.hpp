#pragma once
#include <vector>

#include "bochner/data/scaling.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

std::vector<std::int64_t> integers(const std::vector<Index>& values);

/// Columns, each of them below M.
std::vector<Index> columns_from(const ModelGroup& group, const char* name, Index M);

/// A scaling as entries of a model file.
ModelGroup scaling_group(const Scaling& scaling);
Scaling scaling_from(const ModelGroup& group, Index M);

}  // namespace bochner::detail
