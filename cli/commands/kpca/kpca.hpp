#pragma once
#include "cli/frame/verb.hpp"

namespace bochner::cli {

Verb kpca_verb();

}  // namespace bochner::cli
