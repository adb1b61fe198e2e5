#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/evidence/observations.hpp"

namespace bochner {

/// log p(Y | K, sigma2) and its derivatives.
struct KernelEvidence {
  double value = 0;
  double dsigma2 = 0;  // 0 when no gradient was asked for
  Matrix dL_dK;        // N x N symmetric; empty when no gradient was asked for
  double jitter = 0;   // largest amount the factorisation had to add
};

/// The Gaussian evidence with a Gram matrix K (N x N) in closed form, no features: each column of Y independently
/// N(0, K + sigma2 I) on its measured rows,
///
///     log p(Y|K) = -1/2 [ N M log 2pi + M log|K + sigma2 I| + tr(Y' (K + sigma2 I)^-1 Y) ]
///     d/dK       = 1/2 [ V V' - M (K + sigma2 I)^-1 ],  V = (K + sigma2 I)^-1 Y;   d/dsigma2 = tr(d/dK)
///
/// Columns with missing values share one factorisation per missing pattern; a missing entry contributes nothing.
/// Cost O(N^3 + N^2 min(N, M)) per pattern, memory O(N^2). Throws NumericalError when K + sigma2 I cannot be factorised.
/// Computed in double whatever the observations' T is.
template <class T>
KernelEvidence kernel_evidence(MatrixIn K, const Observations<T>& observations, double sigma2, bool gradient,
                               const Compute& compute);

}  // namespace bochner
