#pragma once
#include "cli/frame/verb.hpp"

namespace bochner::cli {

Verb predict_verb();

}  // namespace bochner::cli
