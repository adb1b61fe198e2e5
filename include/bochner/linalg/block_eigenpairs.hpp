#pragma once
#include <functional>

#include "bochner/compute/compute.hpp"
#include "bochner/linalg/eigenpairs.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// A V for a symmetric A (n x n) that need not exist in memory; V is n x b.
using BlockOperator = std::function<Matrix(const Matrix& V)>;

struct BlockEigenOptions {
  double tolerance = 1e-10;  // |A v - lambda v| of every pair, against the largest eigenvalue in size
  Index block = 0;           // columns of V; 0: 8, or 16 for many eigenpairs
  Index max_passes = 300;    // products A V
};

/// The top s (largest algebraic) eigenpairs by block Lanczos with thick restarts [golub1977, wu2000]. A product with a
/// block costs hardly more than one with a vector as long as reading (or making) A is the bottleneck, and it takes
/// fewer of them. A small matrix with many eigenpairs is formed and decomposed as a whole. Throws NumericalError when it
/// does not converge.
Eigenpairs top_eigenpairs(const BlockOperator& apply, Index n, Index s, const BlockEigenOptions& options,
                          Rng rng, const Compute& compute);

}  // namespace bochner
