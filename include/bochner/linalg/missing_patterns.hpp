#pragma once
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

/// The columns of a matrix that are observed in exactly the same rows.
struct MissingPattern {
  std::vector<Index> columns;  // ascending, never empty
  std::vector<Index> rows;     // the observed rows, ascending; empty if nothing is observed
};

/// Groups the columns of Y (N x M, NaN = not measured) by identical missingness: whatever depends on the
/// observed rows alone, a factorisation above all, is then computed once per pattern instead of once per
/// column. Patterns come in the order of their first column, every column belongs to exactly one, and a table
/// without missing values has one pattern. Infinite entries count as observed. Cost O(N M).
std::vector<MissingPattern> missing_patterns(MatrixIn Y);

/// Those of 0 .. N - 1 that the pattern has not observed, ascending.
std::vector<Index> missing_rows(const MissingPattern& pattern, Index N);

}  // namespace bochner
