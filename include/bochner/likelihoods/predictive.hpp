#pragma once
#include <vector>

#include "bochner/compute/compute.hpp"
#include "bochner/likelihoods/any_likelihood.hpp"
#include "bochner/likelihoods/latent_marginals.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

// The distribution of a new outcome, f integrated out. q(f) at a row is a mixture of equal parts, one for each of `draws`; a
// model of one layer has one. With F(t; m, v) = P(y <= t) under f ~ N(m, v),
//
//   gaussian   Phi((t - m) / sqrt(v + variance))
//   student    E Phi((t - m) / sqrt(v + scale^2 / lambda)), lambda ~ Gamma(nu/2, nu/2): a trapezoid sum in log lambda
//   poisson    E Q(t + 1, exp(log_rate + f)), Q the regularised incomplete gamma function: a trapezoid sum in f
//   heteroscedastic  E Phi((t - m) / sqrt(v + variance exp(a g))), g ~ N(m_g, v_g): a trapezoid sum in g
//   negbinom   E I_q(size, t + 1), q = size / (size + exp(log_rate + f)), I the regularised incomplete beta function: the same
//   bernoulli  of the probability p = Phi(f) of y = 1 in place of y: Phi((Phi^-1(t) - m) / sqrt(v))
//
// and that of the mixture is their mean, to 1e-10 (1e-4 for counts of a million whose rate is known to a factor of e^10 only).
// Rows do not see each other.

/// Whether cumulative() and quantiles() exist. They do not for classes, whose probabilities are functions of several
/// latents: see probability_quantiles.
bool has_quantiles(const AnyLikelihood& any);

/// P(y <= T) of every entry of T, N x outputs; NaN where T is.
Matrix cumulative(const AnyLikelihood& any, const std::vector<LatentMarginals>& draws, MatrixIn T,
                  const Compute& compute);

/// For each level the smallest y with P(y <= .) >= level, N x outputs: a root to 1e-12 of the spread, and a whole number for
/// counts. 0 < level < 1.
std::vector<Matrix> quantiles(const AnyLikelihood& any, const std::vector<LatentMarginals>& draws,
                              const std::vector<double>& levels, const Compute& compute);

/// For each level the quantiles of softmax(f), N x K, from 2000 antithetic draws of f that are the same for every row: a standard
/// error of at most 0.012 in the level.
std::vector<Matrix> probability_quantiles(const Softmax& softmax, const std::vector<LatentMarginals>& draws,
                                          const std::vector<double>& levels, const Rng& rng,
                                          const Compute& compute);

/// One draw of y for each row and output, N x outputs, given f (N x latents): classes are numbers from 0.
Matrix draw_outcomes(const AnyLikelihood& any, MatrixIn f, Rng& rng);

}  // namespace bochner
