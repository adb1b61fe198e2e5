#pragma once
#include "cli/frame/verb.hpp"

namespace bochner::cli {

Verb apply_verb();

}  // namespace bochner::cli
