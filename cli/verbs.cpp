#include "demo.hpp"
#include "evaluate.hpp"
#include "verb.hpp"

namespace bochner::cli {

std::vector<Verb> all_verbs() { return {demo_verb(), evaluate_verb()}; }

}  // namespace bochner::cli
