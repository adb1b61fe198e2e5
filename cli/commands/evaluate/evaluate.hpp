#pragma once
#include "cli/frame/verb.hpp"

namespace bochner::cli {

Verb evaluate_verb();

}  // namespace bochner::cli
