#pragma once
#include <concepts>

#include "bochner/compute/compute.hpp"
#include "bochner/core/types.hpp"

namespace bochner {

/// A feature map is a value: X (n x D) -> Phi (n x F) with Phi Phi' close to, or the same as, a Gram matrix.
/// It works on blocks of rows and keeps nothing between them, so blocks may run on different threads.
///
///   map.fill(X, Phi)                       writes Phi, n x F
///   map.pull(X, Phi, dL_dPhi, dL_dX, g)    ADDS the adjoints of X (n x D) and of what the map is made of;
///                                          Phi is what fill wrote for these rows of X
///   map.zero_gradient()                    where g starts; gradients of blocks add up with +=
///   map.complete(g, threads)               once, after all blocks: what only the sum over rows can tell
///
/// Scalar is the type of the heavy products, double or float; gradients are sums over rows, kept in double.
template <class M>
concept FeatureMap = std::copyable<M> &&
    requires(const M& map, const MatrixT<typename M::Scalar>& X, MatrixOutT<typename M::Scalar> out,
             typename M::Gradient& g, const Compute& compute) {
  { map.input_dims() } -> std::same_as<Index>;  // D
  { map.count() } -> std::same_as<Index>;       // F
  { map.zero_gradient() } -> std::same_as<typename M::Gradient>;
  { map.fill(X, out) } -> std::same_as<void>;
  { map.pull(X, X, X, out, g) } -> std::same_as<void>;
  { map.complete(g, compute) } -> std::same_as<void>;
  g += g;
};

}  // namespace bochner
