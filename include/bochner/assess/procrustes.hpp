#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

struct ProcrustesOptions {
  bool scaling = false;    // also one factor for all dimensions
  bool reflection = true;  // allow det(rotation) = -1; latents have no handedness
};

/// Z -> scale Z rotation + 1 shift'.
struct Procrustes {
  Matrix rotation;   // Q x Q, orthogonal
  double scale = 1;  // > 0
  Vector shift;      // Q
  Matrix apply(MatrixIn Z) const;
};

/// The map of Z (N x Q) that comes closest to X (N x Q) in least squares [schonemann1966]: with Zc' Xc = U S
/// V' of the centred matrices, rotation = U V' and scale = tr S / |Zc|^2. Draws of a latent flip and turn
/// against each other and must be aligned before they are averaged.
Procrustes procrustes(MatrixIn Z, MatrixIn X, const ProcrustesOptions& options = {});

}  // namespace bochner
