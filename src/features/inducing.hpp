#pragma once
#include "bochner/kernels/any_kernel.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Up to `count` of the rows of X whose Gram matrix explains the others best (linalg/pivoted_cholesky.hpp), to a
/// relative tolerance. Many rows are represented by some thousands of them.
Matrix choose_inducing(const AnyKernel& kernel, MatrixIn X, Index count, double tolerance, Rng rng,
                       const Compute& compute);

}  // namespace bochner
