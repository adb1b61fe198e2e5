#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/evidence/feature_evidence.hpp"
#include "bochner/evidence/filled_table.hpp"
#include "bochner/evidence/kernel_evidence.hpp"

namespace bochner {

// The Gaussian evidence of a table with missing entries anywhere, bounded from below at the price of a complete one. Exactly, each
// column has its own rows: with D_m = diag(1 where column m is measured),
//
//   log p(Y) = -1/2 [ n_obs log(2 pi sigma2) + sum_m log|I + K D_m / sigma2| + sum_m y_m' (K_mm + sigma2 I)^-1 y_m ]
//
// one factorisation for each missing pattern (kernel_evidence, feature_evidence). Two steps make it one for all:
//
//   sum_m log|I + K D_m / sigma2| <= M log|I + K W / sigma2|,   W = diag(weight), the mean of the D_m
//   sum_m y_m' (K_mm + sigma2 I)^-1 y_m <= tr Y~' (K + sigma2 I)^-1 Y~,   Y~ = Y with any values in the missing entries
//
// the first because log|.| is concave, the second with equality at the posterior mean of f. (In variational words: the
// weights of all columns share one covariance, and their means are free.) Tight when nothing is missing and when rows
// are missing as a whole; a missing entry is never taken for a value, its guess follows the model.
//
// With `refill` the missing entries move to the posterior mean of f at the present K: one step of expectation maximisation,
// which never loosens the bound and costs next to nothing here.

/// The closed-form kernel: K is the N x N Gram matrix of the table's rows.
KernelEvidence bounded_kernel_evidence(MatrixIn K, FilledTable<double>& table, double sigma2, bool gradient,
                                       bool refill, const Compute& compute);

/// Whether features see a table with missing entries through its outer product, which every refill makes anew.
inline bool bound_sees_outer(Index rows, Index cols) {
  constexpr Index most_outer_rows = 4000;  // Y Y' stays within 128 MB
  return rows < 2 * cols && rows <= most_outer_rows;
}

/// K = Phi Phi', rows of Phi made block by block, F x F factorisations. As feature_evidence, which it is for complete
/// tables.
template <class T>
FeatureEvidence bounded_feature_evidence(const FeatureRows<T>& features, FilledTable<T>& table, double sigma2,
                                         const PullFeatures<T>& pull, bool refill,
                                         const EvidenceOptions& options, const Compute& compute);

}  // namespace bochner
