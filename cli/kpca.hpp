#pragma once
#include "verb.hpp"

namespace bochner::cli {

Verb kpca_verb();

}  // namespace bochner::cli
