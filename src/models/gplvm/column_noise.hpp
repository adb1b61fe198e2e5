#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// What one column says about its noise given q(X), in a basis of the features in which C is diagonal (weights.hpp).
struct ColumnEvidence {
  const Vector& lambda;   // m, eigenvalues of C
  const Vector& squared;  // m, (u_i'A_m)^2
  const Vector& spread;   // m, eigenvalues of c_m C_w, for the determinant
  double y2 = 0;          // sum of y~^2
  double count = 0;       // measured entries
};

/// A column as y = f + N(0, noise), f ~ GP(0, amplitude k).
struct ColumnScale {
  double noise = 1, amplitude = 1;
  double ratio() const { return noise / amplitude; }
};

/// The scale of a column with this ratio, noise at its best; fills -2 log of its evidence and prior, up to a constant:
///
///   (n + nu) (log noise + 1) + sum_i log(1 + spread_i / ratio) + (log amplitude)^2 / tau^2
///   noise = (S + nu common) / (n + nu),   S = y2 - sum_i squared_i / (lambda_i + ratio)
///
/// S is the smallest E_q(X) |y - Phi beta|^2 + ratio |beta|^2. The prior of the noise is an inverse gamma that counts as nu
/// measured entries with the common noise of the view, so that few samples cannot give tiny noise; that of the amplitude
/// is log-normal around one, tau = 3 or, of fewer than 30 measured entries, less. O(m).
ColumnScale column_at(const ColumnEvidence& column, double common, double ratio, double& criterion);

/// The scale that minimises it: the best of a grid of ratios, then a golden-section search around it.
ColumnScale learn_column(const ColumnEvidence& column, double common);

/// Variance that a column of few measured entries has besides its own, when most of its view has many more; 0 of others. Their mean,
/// by which it was centred, is uncertain (the functions of other columns take up what their means are off) and, with
/// `own_unit`, their standard deviation, by which it was divided: Student's t takes the place of the normal. `prior` is the mean of
/// k(x, x).
double seldom_measured_variance(const ColumnScale& column, double prior, double count, double most_count,
                                bool own_unit);

/// The factor by which the noise of a column is larger than the evidence given q(X) says. The latent of each sample was
/// fitted to this very column, with the common noise: the entry has the leverage h = V_q f / common on its own mean, and a
/// residual r of variance
///
///   (1 - h)^2 noise + h (1 - h) common      its own error, and through the latent those of the other columns
///
/// Matching moments gives the noise, against the mean of r^2 + V_q f, on which the evidence rests. It is divided by
/// 1 - mean h: an entry that is left out varies by so much more, since its latent knows less. (Without it, intervals of
/// entries that are not measured hold too little where few columns share many dimensions; with many columns h is near 0.)
///
/// `r2` and `spread`: r^2 and V_q f of the measured entries.
double latent_factor(const Vector& r2, const Vector& spread, double common);

}  // namespace bochner
