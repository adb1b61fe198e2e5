#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// Rows of a product that is made for several samples at once are padded to a multiple of this. Eigen's products treat such
/// rows all alike, so that a row has the same bytes at any place.
inline constexpr Index row_group = 32;
inline Index padded_rows(Index rows) { return (rows + row_group - 1) / row_group * row_group; }

}  // namespace bochner
