#pragma once
#include "bochner/store/model_file.hpp"

namespace bochner::detail {

/// InputError unless the entry "model" is `kind`: what the file is, what is needed, and which verbs make the one and the other.
void check_kind(const ModelGroup& group, const char* kind);

}  // namespace bochner::detail
