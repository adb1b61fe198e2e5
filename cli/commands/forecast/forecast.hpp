#pragma once
#include "cli/frame/verb.hpp"

namespace bochner::cli {

Verb forecast_verb();

}  // namespace bochner::cli
