#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// M independent columns ~ N(0, K + jitter I), N x M: F = chol(K + jitter I) Z. Smooth kernels have Gram
/// matrices that are singular to rounding, so jitter is always 1e-8 times the mean diagonal: a ripple of 1e-4
/// standard deviations, and the same draw whether or not the bare factorisation would have gone through.
/// Column m has its own child of `rng`: more columns change none. Throws NumericalError when K is indefinite.
Matrix draw_gaussian_columns(Matrix K, Index M, const Rng& rng, const Compute& compute);

/// M functions f ~ GP(0, k) at the rows of X, N x M. Cost O(N^3 + N^2 M), memory O(N^2).
Matrix draw_functions(const AnyKernel& kernel, MatrixIn X, Index M, const Rng& rng, const Compute& compute);

}  // namespace bochner
