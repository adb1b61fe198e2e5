#pragma once
#include "verb.hpp"

namespace bochner::cli {

Verb demo_verb();

}  // namespace bochner::cli
