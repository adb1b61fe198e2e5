#pragma once
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"

namespace bochner::cli {

/// What the tables look like, and which options suit that: one line each (data/table_hints.hpp). Labels need none.
std::vector<std::string> hint_notes(const Dataset& data, const std::string& label_view);

}  // namespace bochner::cli
