#pragma once
#include <string>
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

struct CholeskyOptions {
  std::string what = "the matrix";  // for the error: "the Gram matrix of view 'rna'"
  std::vector<double> jitter{1e-10, 1e-8,
                             1e-6};  // tried in turn, times the mean diagonal, when A itself fails
};

/// A + jitter I = L L'. Immutable; solves and inverses are free functions of the factor below.
struct CholeskyFactor {
  Matrix L;           // n x n, lower triangle; the upper one is zero
  double jitter = 0;  // what had to be added to the diagonal, 0 when nothing
  Index size() const { return L.rows(); }
};

/// Factorises the symmetric A, of which only the lower triangle is read. Blocked over all threads; same bytes for any
/// number of them. Throws NumericalError with the cause: an entry that is not finite, a diagonal entry that is not
/// positive, or a matrix that stays indefinite at the largest jitter.
CholeskyFactor cholesky(Matrix A, const CholeskyOptions& options, const Compute& compute);

double log_determinant(const CholeskyFactor& factor);  // log |L L'|

Matrix solve_lower(const CholeskyFactor& factor, MatrixIn B, const Compute& compute);             // L^-1 B
Matrix solve_lower_transposed(const CholeskyFactor& factor, MatrixIn B, const Compute& compute);  // L^-T B
Matrix solve(const CholeskyFactor& factor, MatrixIn B, const Compute& compute);  // (L L')^-1 B
Matrix inverse(const CholeskyFactor& factor, const Compute& compute);  // (L L')^-1, symmetric to the bit

/// The lower triangular F with F F' = A^-1, of the symmetric positive definite A: the Cholesky factor of the inverse,
/// without forming it.
Matrix cholesky_of_inverse(MatrixIn A, const CholeskyOptions& options, const Compute& compute);

/// L^-T H L^-1 for a symmetric H, of which only the lower triangle is read: n^3 operations, half of two solves. Symmetric
/// to the bit.
Matrix congruence_solve(const CholeskyFactor& factor, MatrixIn H, const Compute& compute);

/// Adjoint of the factorisation: given dL/dL (lower triangle), the symmetric dL/dA  [murray2016, Eq. 10].
Matrix cholesky_pullback(const CholeskyFactor& factor, MatrixIn dL_dfactor, const Compute& compute);

}  // namespace bochner
