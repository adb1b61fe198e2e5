#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

// Simple guesses for the missing entries of Y (N x M, finite or NaN): starting points, and what a model must beat.
// Observed entries come back unchanged, no NaN is left, and a column without any observed entry is filled
// with 0. Columns should be scaled first (scaling.hpp), except for the mean.

/// The mean of the observed entries of the column.
Matrix fill_column_means(MatrixIn Y);

/// The mean of the column over the k nearest rows that have it, or over all of those if they are fewer. The distance of
/// two rows is sqrt(M / c * sum of squared differences over the c columns that both have), ties by row; rows
/// without a common column are no neighbours, and where none is left the column mean steps in. As
/// scikit-learn's KNNImputer. Time O(N^2 M).
Matrix fill_neighbours(MatrixIn Y, Index k, const Compute& compute = Compute());

struct LowRankFillOptions {
  Index rank = 2;
  Index max_iterations = 1000;
  double tolerance = 1e-6;  // of the change in one iteration, relative to fills minus column means
};

/// Regularised iterative PCA [josse2012]: fill, take the leading singular triples of the centred
/// table, shrink them by what the noise contributes, read the fills off, repeat. Without the shrinkage it
/// overfits as soon as many entries are missing. Each iteration moves the singular subspace by one step of orthogonal
/// iteration, O(N M rank), instead of decomposing anew; both end in the same place.
Matrix fill_low_rank(MatrixIn Y, const LowRankFillOptions& options, Rng rng,
                     const Compute& compute = Compute());

}  // namespace bochner
