#pragma once
#include <vector>

#include "bochner/core/types.hpp"

namespace bochner {

enum class ScalingKind {
  none,         // leave the values alone
  centre,       // subtract the mean of each column
  standardise,  // and divide each column by its standard deviation
  whole_view    // subtract the mean of each column, divide all columns by one number: entries get unit mean
                // square, columns keep their relative sizes (images, spectra)
};

/// z = (y - centre) / scale per column, and back. Means and standard deviations are over observed entries,
/// with divisor n. A column that does not vary beyond rounding (max - min <= 4 eps max|y|; a single observed
/// entry too) gets scale 1 under `standardise`: it becomes zero and is undone to its constant. A column
/// without any observed entry gets centre 0 and scale 1. NaN stays NaN.
struct Scaling {
  ScalingKind kind = ScalingKind::none;
  Vector centre;                  // M
  Vector scale;                   // M, > 0
  std::vector<Index> constant;    // columns with observed entries that do not vary, ascending
  std::vector<Index> unmeasured;  // columns without an observed entry, ascending

  Matrix apply(MatrixIn Y) const;                 // N x M, also for rows the scaling never saw
  Matrix undo(MatrixIn Z) const;                  // values and means: z scale + centre
  Matrix undo_sd(MatrixIn sd) const;              // standard deviations: sd scale
  Matrix undo_variance(MatrixIn variance) const;  // variances: variance scale^2
};

/// Learns the scaling of Y (N x M, finite or NaN). Safe from overflow and cancellation at any scale and
/// offset.
Scaling fit_scaling(MatrixIn Y, ScalingKind kind);

}  // namespace bochner
