#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;  // column by column

/// Columns of a table that one thread works on together: features are read once for all of them.
inline constexpr Index columns_together = 4;

/// Precisions of the prior of the weights of a column.
Vector prior_precision(Index features, double amplitude, double intercept_sd);

}  // namespace bochner
