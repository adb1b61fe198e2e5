#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

using Columns = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;  // column by column

/// Columns of a table that one thread works on together: features are read once for all of them.
inline constexpr Index columns_together = 4;

/// Precisions of the prior of the weights of a column, coefficients of covariates among them.
inline Vector prior_precision(Index features, Index covariates, double amplitude, double intercept_sd) {
  Vector p = Vector::Constant(features, 1 / amplitude);
  p.segment(features - 1 - covariates, covariates).setOnes();
  p(features - 1) = 1 / (intercept_sd * intercept_sd);
  return p;
}

}  // namespace bochner
