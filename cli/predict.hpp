#pragma once
#include "verb.hpp"

namespace bochner::cli {

Verb predict_verb();

}  // namespace bochner::cli
