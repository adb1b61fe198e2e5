#pragma once
#include "objective.hpp"

namespace bochner {

/// Inducing latents of a fitted view, at most.
inline constexpr Index most_inducing = 500;

/// Fills Z, alpha and R of `view` (gplvm_fit.hpp) from the fitted posterior of the latents: the functions given q(X) and
/// the table, no training data left. With phi(x) = L^-1 k(Z, x), K(Z, Z) = L L', and expectations over q(X),
///
///   C = sum_n E[phi_n phi_n'],  C_w = sum_n weight_n E[phi_n phi_n'],  A = sum_n E[phi_n] y~_n'
///   q(beta_m) = N((C + sigma2 I)^-1 A_m, sigma2 (C_w + sigma2 I)^-1)
///
/// is the optimal posterior of the weights; missing entries y~ follow their own mean until they settle.
/// `measured` is the whole scaled table, NaN in its missing entries.
void learn_weights(const ViewTerm& term, const GplvmParameters::View& parameters,
                   const LatentPosterior& latent, MatrixIn measured, const Rng& rng, const Compute& compute,
                   GplvmView& view);

}  // namespace bochner
