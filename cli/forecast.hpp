#pragma once
#include "verb.hpp"

namespace bochner::cli {

Verb forecast_verb();

}  // namespace bochner::cli
