#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// The eigenbasis of centred features Phi (n x F): psi = V'(phi - centre), with sum_n psi psi' = diag(d).
struct FeatureBasis {
  Vector centre;  // F
  Matrix V;       // F x k
  Vector d;       // k, from the largest down, those that are not rounding
  Matrix psi;     // n x k
};
FeatureBasis feature_basis(const Matrix& Phi, const Compute& compute);

/// Regressions of columns on psi, each at its own ratio rho of noise to signal variance: averaged over the grid
/// cross_view_ratios() by its evidence and a prior that is learned from all columns [efron2010].
struct ColumnFits {
  Matrix weights;    // k x M
  Vector intercept;  // M
  Vector noise;      // M, variance of a measurement given f, and of the intercept
  Matrix spread;     // M x G: V f = sum_g spread_g sum_j psi_j^2 rho_g / (d_j + rho_g)
};

/// Y is n x M, NaN where missing. Where less than 30 % of a column is missing, entries are filled in at their predictions until
/// these settle, so that one eigenbasis serves all such columns: the mean of the exact posterior. The determinant of the
/// evidence takes the n_m measured entries for a random subset of the rows, d n_m / n, and so does the variance of the
/// posterior for all columns. Columns with more missing entries have their own eigenproblem, on at most 64 components. Columns
/// with fewer than four entries, or equal ones, get their mean.
ColumnFits fit_columns(const FeatureBasis& basis, MatrixIn Y, const Compute& compute);

/// log p(Y | C) of columns ~ N(mean, s2 (C + rho I)) with mean and s2 integrated or profiled out of each, and rho under the
/// shared prior; summed over the columns, or over those of eight patterns of missing values if there are more.
double log_evidence(const Matrix& C, MatrixIn Y, const Compute& compute);

}  // namespace bochner
