#pragma once
#include "bochner/models/harmonic/gp.hpp"

namespace bochner {

/// Rows of a GP with constant Gaussian noise, each predicted from the others: leave-one-out for the hyperparameters as they are
/// [vehtari2016]. The marginal of a row is m, v = u + residual, where the residual is what inducing points say nothing about, and
/// so the outcome y neither; what y said is divided out of the rest,
///
///   r = weight u / sigma2,   m' = (m - r y) / (1 - r),   v' = u / (1 - r) + residual,
///
/// exact for the optimal q(u) of one group (with several, marginals are not those of a posterior).
struct LeftOut {
  LatentMarginals f;
  Matrix Y;  // NaN where y alone decides its f (r > 0.99), so that nothing can be said
};

/// `residual`: of each row; Y may have a column of weights.
LeftOut left_out(const GaussianNoise& noise, const LatentMarginals& at, VectorIn residual, MatrixIn Y);

}  // namespace bochner
