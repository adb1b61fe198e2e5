#pragma once
#include <string>
#include <vector>

#include "verb.hpp"

namespace bochner::cli {

/// What `bochner --help` and `bochner VERB --help` print.
std::string program_help(const std::vector<Verb>& verbs);
std::string verb_help(const Verb& verb, const std::vector<Option>& common);

}  // namespace bochner::cli
