#pragma once
#include "bochner/random/rng.hpp"

namespace bochner {

// Random covariance matrices. Below, D is the dimension, `scale` a D x D symmetric positive definite matrix
// and L a lower-triangular factor of one, scale = L L' (its upper triangle is not read). degrees > D - 1.

/// W ~ Wishart(degrees, scale): density prop. to |W|^((degrees - D - 1)/2) exp(-tr(scale^-1 W) / 2).
/// E W = degrees scale,  Var W_ij = degrees (scale_ij^2 + scale_ii scale_jj).
Matrix wishart(double degrees, MatrixIn scale, Rng& rng);

/// Sigma ~ inverse Wishart(degrees, scale), that is Sigma^-1 ~ Wishart(degrees, scale^-1): density prop. to
/// |Sigma|^(-(degrees + D + 1)/2) exp(-tr(scale Sigma^-1) / 2).  E Sigma = scale / (degrees - D - 1), if
/// positive.
Matrix inverse_wishart(double degrees, MatrixIn scale, Rng& rng);

/// The Cholesky factors of such draws, lower-triangular C with C C' = W or Sigma, from the factor of the
/// scale: no factorisation and no inverse. The draws above are these, multiplied out.
Matrix wishart_factor(double degrees, MatrixIn L, Rng& rng);
Matrix inverse_wishart_factor(double degrees, MatrixIn L, Rng& rng);

/// x ~ N(mean, L L'), D.
Vector multivariate_normal(VectorIn mean, MatrixIn L, Rng& rng);

}  // namespace bochner
