#pragma once
#include <functional>

#include "bochner/core/types.hpp"

namespace bochner {

// What an optimiser or a sampler sees of a model: one flat unconstrained vector in, a value and a gradient
// out. Positive and bounded parameters enter through core/transforms.hpp. A plain lambda converts:
//
//     const Objective f = [](const Vector& theta, Vector& grad) {
//       grad = 2 * theta;
//       return theta.squaredNorm();
//     };
//
// The interface is type-erased, so that each algorithm is compiled once; an evaluation dwarfs the call.
//
// `grad` arrives with the shape of theta and must leave with it. A value or gradient that is not finite, and
// a NumericalError (a failed factorisation), both mean "not here": optimisers step back, samplers reject. Any
// other exception passes through to the caller.

/// Returns f(theta) and fills grad = df/dtheta. The same theta gives the same answer.
using Objective = std::function<double(const Vector& theta, Vector& grad)>;

/// An unbiased estimate of value and gradient. `step` counts evaluations from 0: split the stream of the noise by
/// it (`rng.split(step)`), and an interrupted run, resumed, draws what the uninterrupted one would have drawn.
using StochasticObjective = std::function<double(const Vector& theta, Index step, Vector& grad)>;

/// Log density up to a constant, with its gradient: what HMC asks for.
using LogDensity = Objective;

/// Functions of X (n x p) with orthonormal columns; grad = df/dX, the entries of X taken as independent.
using StiefelObjective = std::function<double(const Matrix& X, Matrix& grad)>;
using StochasticStiefelObjective = std::function<double(const Matrix& X, Index step, Matrix& grad)>;

}  // namespace bochner
