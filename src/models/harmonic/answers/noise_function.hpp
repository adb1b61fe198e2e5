#pragma once
#include <optional>

#include "bochner/models/harmonic/fit.hpp"
#include "src/data/batches.hpp"

namespace bochner {

/// Noise that depends on the inputs for a fit that was learned with GaussianNoise: the same f, and for each outcome a second
/// function g of the log noise variance with the kernel and the inducing points of f (HeteroscedasticNoise), learned where
/// f stands by natural gradients on q(g) and Adam on variance and amplitude. The bound of both functions, maximised in those of
/// the noise alone:
///
///   sum_n E_q log N(y_n; f_n, variance exp(a g_n)) - KL(q(g) || p(g)) + const
///
/// Learned together, f gives rows up whose noise it calls large, and predicts them worse than before; here means stay what they
/// were. `step` numbers the first batch. Nothing where the bound does not stay finite.
std::optional<HarmonicGp> learn_noise_function(const HarmonicGp& gp, Batches& batches, Index step,
                                               const Rng& rng, const Compute& compute);

}  // namespace bochner
