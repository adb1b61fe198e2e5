#pragma once
#include <functional>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

/// Log likelihood of a latent vector. Not finite, or a NumericalError, means zero likelihood: never accepted.
using LogLikelihood = std::function<double(const Vector& f)>;

struct EllipticalSliceOptions {
  Index max_shrinks = 200;  // then stay; the bracket is by then narrower than rounding
};

struct EllipticalSliceMove {
  Vector f;                   // the new state
  double log_likelihood = 0;  // at f
  Index shrinks = 0;          // proposals that were rejected
  Index not_finite = 0;       // of these, how many had no finite likelihood
  bool moved = false;         // false only if max_shrinks ran out
};

/// One transition that leaves N(f | mean, Sigma) exp(log_likelihood(f)) invariant [murray2010, Fig. 2]. Proposals:
///
///     f' = mean + (f - mean) cos(angle) + nu sin(angle)
///
/// on the ellipse through f and nu, the bracket of angles shrinking towards f until f' is above the slice.
/// `nu` is a fresh draw of N(0, Sigma), WITHOUT the mean; any covariance works, since only its draw is needed.
/// `log_likelihood_f` is the value at f, as the last move returned it; NumericalError if it is not finite.
EllipticalSliceMove elliptical_slice(const LogLikelihood& log_likelihood, VectorIn f, double log_likelihood_f,
                                     VectorIn nu, Rng& rng, const EllipticalSliceOptions& options = {});
EllipticalSliceMove elliptical_slice(const LogLikelihood& log_likelihood, VectorIn f, double log_likelihood_f,
                                     VectorIn nu, VectorIn mean, Rng& rng,
                                     const EllipticalSliceOptions& options = {});

}  // namespace bochner
