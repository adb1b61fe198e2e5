#pragma once
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

/// InputError unless the entry "model" is `kind`.
void check_kind(const ModelGroup& group, const char* kind);

}  // namespace bochner::detail
