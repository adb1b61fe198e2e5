#pragma once
#include <string>
#include <vector>

#include "bochner/data/dataset.hpp"
#include "bochner/data/row_factors.hpp"

namespace bochner::cli {

/// What the tables look like, and which options suit that: one line each (data/table_hints.hpp). Labels need none, and
/// nobody who divides rows by `factors` is told to.
std::vector<std::string> hint_notes(const Dataset& data, const RowFactors& factors,
                                    const std::string& label_view);

}  // namespace bochner::cli
