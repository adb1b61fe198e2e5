#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// sum_i weights_i g(nodes_i) stands for an integral of g; nodes ascend.
struct QuadratureRule {
  Vector nodes, weights;
};

/// The n-point rule of Gauss for the integral of phi(z) g(z) dz, phi the standard normal density: exact for
/// polynomials of degree 2n - 1. Nodes are eigenvalues of the Jacobi matrix [golub1969], then two Newton steps;
/// weights are 1 / sum_k p_k(z)^2 over the orthonormal polynomials, so that small ones are right to their last
/// digits too (squared eigenvector entries are not). 1 <= n <= 200.
QuadratureRule gauss_hermite(Index n);

/// The same for the integral of g over [-1, 1].
QuadratureRule gauss_legendre(Index n);

}  // namespace bochner
