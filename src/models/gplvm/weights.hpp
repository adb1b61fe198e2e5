#pragma once
#include "objective.hpp"

namespace bochner {

/// Inducing latents of a fitted view, at most.
inline constexpr Index most_inducing = 500;

/// Fills what `view` (fit.hpp) knows about its functions and its noise, from the fitted posterior of the latents: no
/// training data left. With phi(x) = L^-1 k(Z, x), K(Z, Z) = L L', and expectations over q(X),
///
///   C = sum_n E[phi_n phi_n'],  C_w = sum_n weight_n E[phi_n phi_n'],  A = sum_n E[phi_n] y~_n'
///   q(beta_m) = N((C + r_m I)^-1 A_m, noise_m (c_m C_w + r_m I)^-1),   r_m = noise_m / amplitude_m
///
/// is the optimal posterior of the weights of column m with prior N(0, amplitude_m I); c_m scales C_w to the number of
/// measured entries of the column. Missing entries y~ follow their own mean until they settle. Noise and amplitude of
/// each column maximise its evidence (column_noise.hpp) if `by_column`, else they are the common noise and one.
/// `measured` is the whole scaled table, NaN in its missing entries.
void learn_weights(const ViewTerm& term, const GplvmParameters::View& parameters,
                   const LatentPosterior& latent, MatrixIn measured, bool by_column, const Rng& rng,
                   const Compute& compute, GplvmView& view);

/// Gives `view` the functions E f(x) = k(x, Z) alpha, V f(x) = k(x, x) - k(x, Z) R k(Z, x), R symmetric and positive
/// semi-definite, and its common noise in every column: how models were stored before columns had noise of their own.
void set_functions(GplvmView& view, MatrixIn alpha, MatrixIn R);

}  // namespace bochner
