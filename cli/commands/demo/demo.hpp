#pragma once
#include "cli/frame/verb.hpp"

namespace bochner::cli {

Verb demo_verb();

}  // namespace bochner::cli
