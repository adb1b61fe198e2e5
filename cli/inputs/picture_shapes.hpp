#pragma once
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"

namespace bochner::cli {

/// InputError unless each `NAME=ROWSxCOLUMNS` of --shape names a view of the data with so many columns.
void check_shapes(const std::vector<std::string>& shapes, const Dataset& data);

}  // namespace bochner::cli
