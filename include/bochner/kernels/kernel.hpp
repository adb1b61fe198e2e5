#pragma once
#include <concepts>
#include <string>
#include <vector>

#include "bochner/core/types.hpp"
#include "bochner/kernels/frequencies.hpp"

namespace bochner {

/// Where the pullback of a block of the Gram matrix adds its adjoints. dX has the rows of the block.
struct KernelAdjoint {
  VectorOut dtheta;  // unconstrained parameters
  MatrixOut dX;      // n x D
  MatrixOut dZ;      // m x D
};

/// A kernel is a value: parameters as plain members, one file, formulas on top. Parameters enter optimisers as one
/// flat unconstrained vector theta (log for positive ones, tanh for correlations), whose order parameter_names() tells.
///
///   k(x, y)                value
///   k.gradient(x, y)       dk/dtheta, parameter_count() long
///   k.input_gradient(x, y) dk/dx (first argument); by symmetry dk/dy is input_gradient(y, x)
///   k.gram_block(X, Z, K)  K(i, j) = k(x_i, z_j), n x m; the fast path: vectorised, no calls per entry
///   k.pull_block(X, Z, K, dL_dK, adjoint)  adds dL/dtheta, dL/dX, dL/dZ given K from gram_block
///   k.diagonal(X)          k(x_i, x_i)
///   k.pull_diagonal(X, dL_dd, dtheta, dX)  adds the adjoints of diagonal
template <class K>
concept Kernel = std::copyable<K> && requires(const K& k, const Vector& x, const Matrix& X, MatrixOut out,
                                              VectorOut vector_out, KernelAdjoint& adjoint) {
  { k.input_dims() } -> std::same_as<Index>;  // D, or 0 when any number of inputs will do
  { k.parameter_count() } -> std::same_as<Index>;
  { k.parameter_names() } -> std::same_as<std::vector<std::string>>;
  { k.parameters() } -> std::same_as<Vector>;
  { k.with_parameters(x) } -> std::same_as<K>;
  { k(x, x) } -> std::same_as<double>;
  { k.gradient(x, x) } -> std::same_as<Vector>;
  { k.input_gradient(x, x) } -> std::same_as<Vector>;
  { k.gram_block(X, X, out) } -> std::same_as<void>;
  { k.pull_block(X, X, X, X, adjoint) } -> std::same_as<void>;
  { k.diagonal(X) } -> std::same_as<Vector>;
  { k.pull_diagonal(X, x, vector_out, out) } -> std::same_as<void>;
};

/// A kernel that is the transform of a spectral density we can draw from, differentiably.
template <class K>
concept SpectralKernel = Kernel<K> &&
    requires(const K& k, Rng& rng, const SpectralNoise& noise, const Frequencies& f) {
  { k.draw_noise(Index{8}, Directions::independent, rng) } -> std::same_as<SpectralNoise>;
  { k.frequencies(noise) } -> std::same_as<Frequencies>;
  { k.frequencies_pullback(noise, f) } -> std::same_as<Vector>;
};

}  // namespace bochner
