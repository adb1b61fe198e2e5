#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// {"name[1]", .., "name[n]"}
std::vector<std::string> numbered(const std::string& name, Index n);

/// {"name[1,1]", "name[1,2]", .., "name[rows,cols]"}, row by row
std::vector<std::string> numbered(const std::string& name, Index rows, Index cols);

}  // namespace bochner
