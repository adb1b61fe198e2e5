#pragma once
#include "verb.hpp"

namespace bochner::cli {

Verb apply_verb();

}  // namespace bochner::cli
