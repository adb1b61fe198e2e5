#pragma once
#include <string>
#include <utility>
#include <vector>

namespace bochner {

/// Scores by the names that every interface gives them, in the order in which they are shown.
using NamedScores = std::vector<std::pair<std::string, double>>;

}  // namespace bochner
