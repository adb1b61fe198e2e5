#pragma once
#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

// The Stiefel manifold St(n, p): matrices X (n x p, p <= n) with X'X = I.

/// max |X'X - I|, entry by entry.
double orthonormality_error(MatrixIn X, const Compute& compute = Compute());

/// The orthonormal factor of A = Q R, diag R > 0. Throws NumericalError if the columns are linearly dependent.
Matrix orthonormalize(MatrixIn A);

/// The nearest orthonormal matrix (the polar factor) of an X that is nearly orthonormal, by X <- X (3I - X'X) / 2:
/// each sweep squares the error, so a drift of 1e-7 is gone after one. NumericalError if max |X'X - I| > 0.5.
Matrix polish_orthonormality(Matrix X, double tolerance = 1e-14, const Compute& compute = Compute());

/// Uniform (Haar) on St(n, p): the orthonormal factor of a Gaussian matrix.
Matrix random_orthonormal(Index n, Index p, Rng& rng);

/// G - X (X'G + G'X) / 2: the gradient of f on the manifold when G = df/dX.
Matrix stiefel_gradient(MatrixIn X, MatrixIn G, const Compute& compute = Compute());

}  // namespace bochner
