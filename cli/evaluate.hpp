#pragma once
#include "verb.hpp"

namespace bochner::cli {

Verb evaluate_verb();

}  // namespace bochner::cli
