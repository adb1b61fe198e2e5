#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

// Scores of predictions (N x M) against the truth (N x M), averaged over the entries where the truth is
// known: NaN in the truth is skipped, whatever was predicted there. NaN if nothing is known. A prediction
// that is NaN where the truth is known throws std::domain_error. `held_out_values` (held_out.hpp) makes such
// a truth from a mask.

double rmse(MatrixIn truth, MatrixIn mean);
double mae(MatrixIn truth, MatrixIn mean);

/// Mean log N(y | mean, variance), in nats per entry. variance > 0, of y itself, noise included.
double log_predictive_density(MatrixIn truth, MatrixIn mean, MatrixIn variance);

/// Continuous ranked probability score of N(mean, variance): a proper score in the units of y, smaller is
/// better, the absolute error when the variance is zero [gneiting2007, Eq. 21, negated].
double crps(MatrixIn truth, MatrixIn mean, MatrixIn variance);

/// Share of known entries with lower <= y <= upper.
double interval_coverage(MatrixIn truth, MatrixIn lower, MatrixIn upper);

/// The same for the central interval of probability `level` of N(mean, variance): level is what it should
/// return.
double gaussian_coverage(MatrixIn truth, MatrixIn mean, MatrixIn variance, double level);

}  // namespace bochner
