#pragma once
#include <tuple>
#include <vector>

#include "arrays.hpp"
#include "bochner/models/latent/relevance.hpp"

namespace bochner::python {

inline constexpr const char* relevance_text =
    "By view and dimension, by column and dimension, explained by all, whether views depend on "
    "dimensions, and how many entries carry the variance of each column.";

/// What `relevance` of every latent variable model returns.
inline auto to_tuple(Relevance r) {
  std::vector<std::vector<bool>> depends;
  const BoolMatrix found = views_of_dimensions(r);
  for (Index v = 0; v < found.rows(); ++v) depends.emplace_back(found.row(v).begin(), found.row(v).end());
  std::vector<MatrixResult> columns;
  for (Matrix& own : r.by_column) columns.push_back(to_numpy(std::move(own)));
  std::vector<VectorResult> entries;
  for (Vector& own : r.entries) entries.push_back(to_numpy(std::move(own)));
  return std::tuple(to_numpy(std::move(r.by_view)), columns, to_numpy(std::move(r.explained)), depends,
                    entries);
}

}  // namespace bochner::python
