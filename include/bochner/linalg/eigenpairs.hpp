#pragma once
#include <functional>

#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// Eigenvalues from the largest down, eigenvectors in columns, each with its largest entry (in size) positive, so
/// that the sign does not depend on the solver.
struct Eigenpairs {
  Vector values;   // s
  Matrix vectors;  // n x s
};

struct EigenOptions {
  double tolerance = 1e-12;     // relative residual of a converged pair
  Index max_iterations = 1000;  // restarts of the Lanczos iteration
};

/// The top s (largest algebraic) eigenpairs of the symmetric A. Lanczos with implicit restarts (Spectra) when s is
/// a small part of n, a full decomposition otherwise. Throws NumericalError when it does not converge.
Eigenpairs top_eigenpairs(MatrixIn A, Index s, const EigenOptions& options, const Compute& compute);

/// The same for a symmetric operator y = A x of size n that is never formed.
Eigenpairs top_eigenpairs(const std::function<void(VectorIn x, VectorOut y)>& apply, Index n, Index s,
                          const EigenOptions& options);

}  // namespace bochner
