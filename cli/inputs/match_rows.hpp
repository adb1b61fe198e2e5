#pragma once
#include <string>
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner::cli {

/// The rows of a table as others know them.
struct RowNames {
  std::string table;  // for messages
  const std::vector<std::string>& ids;
  bool generated;  // the file had none: "0", "1", ... mean the n-th row
};

/// Rows of `a` and `b` that are the same sample, in the order of `a`.
struct MatchedRows {
  std::vector<Index> a, b;
  Index only_a = 0, only_b = 0;  // samples that the other does not have
  bool by_position = false;
};

/// Matches by id. Where one table has no ids of its own, a number as the id of the other means that row, and if its ids
/// are no such numbers, both must have the same number of rows and are matched by position. InputError
/// if nothing matches.
MatchedRows match_rows(const RowNames& a, const RowNames& b);

}  // namespace bochner::cli
