#pragma once
#include "bochner/core/types.hpp"

namespace bochner {

/// The affine map latent A + 1 b' that is closest to the truth in least squares, and how much of it it
/// explains.
struct AffineR2 {
  Matrix A;  // Q x P, of least norm (in standardised latents) where several maps are equally good
  Vector b;  // P
  Vector
      per_column;  // P, 1 - |residual|^2 / |truth - mean|^2; NaN for a column of the truth that does not vary
  double mean = 0;  // uniform average over the columns that vary
};

/// Latents are known only up to an affine map, so a recovered latent (N x Q) is compared with the true one (N
/// x P) after the best one. Any rank and any scale of the latent is fine: a constant latent explains nothing
/// and scores 0, and with Q >= N - 1 independent columns everything is explained, so keep N well above Q.
/// InputError if no column of the truth varies.
AffineR2 affine_r2(MatrixIn latent, MatrixIn truth);

}  // namespace bochner
