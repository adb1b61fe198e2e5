#pragma once
#include <string>
#include <vector>

#include "bochner/data/view.hpp"

namespace bochner::cli {

/// Exposures of the samples of a view, from the cells of a column. Samples that the view knows nothing about may lack one: they
/// get `typical`, or where that is 0 the median of the others. InputError that names column and sample for what is missing or not
/// positive.
Vector exposures_of(const std::string& column, const std::vector<std::string>& cells, const View& view,
                    double typical = 0);

}  // namespace bochner::cli
