#pragma once
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"

namespace bochner {

/// The `count` columns of Y (N x M) with the largest variance over their measured entries, in units of the table, ascending; all
/// if there are no more. Of columns that vary alike the earlier ones are kept; one without a measured entry comes last.
/// std::invalid_argument if count < 1.
std::vector<Index> most_variable(MatrixIn Y, Index count);

/// InputError if a name of a kept column is not unique among all `columns` of a view: a model knows its columns by their
/// names, and would not find this one in the whole table.
void check_kept_names(const std::string& view, const std::vector<std::string>& columns,
                      const std::vector<Index>& kept);

}  // namespace bochner
