#pragma once
#include "verb.hpp"

namespace bochner::cli {

Verb fit_verb();

}  // namespace bochner::cli
