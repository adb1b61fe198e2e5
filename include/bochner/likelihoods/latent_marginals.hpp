#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// Marginals of the latent functions at rows of X, N x P each.
struct LatentMarginals {
  Matrix mean, variance;
};

}  // namespace bochner
