#pragma once
#include <optional>

#include "bochner/kernels/any_kernel.hpp"

namespace bochner {

/// A simpler kernel that a spectral mixture contains, to reach a good optimum with before the mixture is released: every
/// mixture of Gaussian spectral densities holds the squared exponential kernel. Nothing for kernels that are simple
/// themselves.
std::optional<AnyKernel> simple_form(const AnyKernel& kernel);

/// The kernel of the kind and size of `like` that equals `simple` at the latents X (N x Q), for the non-stationary mixtures up to
/// a share `damping` of its values: these reach a stationary kernel only as rho -> 1, and a correlation below it costs
/// exp(-(1 - rho) |x / ell|^2).
AnyKernel same_kernel(const AnyKernel& simple, const AnyKernel& like, MatrixIn X, double damping);

/// The mixture of same_kernel, moved a little: equal components, equal halves of a pair of frequencies and mean frequencies of
/// zero all have gradients that keep them so.
AnyKernel moved_apart(const AnyKernel& mixture, MatrixIn X);

}  // namespace bochner
