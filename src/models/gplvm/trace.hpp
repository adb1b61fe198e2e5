#pragma once
#include <vector>

#include "bochner/models/gplvm/fit.hpp"
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

// The steps of the optimiser as an entry of a model file: start, step, objective, step size, draw.

Matrix trace_matrix(const std::vector<GplvmStep>& trace);
std::vector<GplvmStep> trace_from(const ModelGroup& group);

}  // namespace bochner::detail
