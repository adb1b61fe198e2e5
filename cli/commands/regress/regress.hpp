#pragma once
#include "cli/frame/verb.hpp"

namespace bochner::cli {

Verb regress_verb();
Verb classify_verb();

}  // namespace bochner::cli
