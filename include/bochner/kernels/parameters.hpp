#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// {"name[1]", .., "name[n]"}
std::vector<std::string> numbered(const std::string& name, Index n);

}  // namespace bochner
