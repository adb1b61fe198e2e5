#pragma once
#include "cli/frame/verb.hpp"

namespace bochner::cli {

Verb fit_verb();

}  // namespace bochner::cli
