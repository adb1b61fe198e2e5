#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// q(X): one diagonal Gaussian per sample.
struct LatentPosterior {
  Matrix mean;  // N x Q
  Matrix sd;    // N x Q
};

}  // namespace bochner
