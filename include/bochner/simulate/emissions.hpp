#pragma once
#include <variant>

#include "bochner/core/types.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

// How the entry y_nm of a view comes from the function value f_nm.

/// y = f + offset + N(0, noise_variance). The authors of [li2024] and [zhang2023] do not print the noise;
/// their programs use a standard deviation of 0.5, one of them with an offset of 5.
struct GaussianEmission {
  double noise_variance = 0.25;
  double offset = 0;
};

/// y ~ Poisson(exp f).
struct PoissonEmission {};

/// y ~ NB(r_m, logistic f), mean r_m exp f [zhang2023, Eq. 29].
struct NegativeBinomialEmission {
  Vector r;  // M dispersions > 0; empty: 1, 2, .. M, as the authors' program has it
};

/// y ~ Binomial(trials, logistic f).
struct BinomialEmission {
  Index trials = 10;
};

/// A row of Y ~ Multinomial(trials, softmax of the row of F). simulate_views makes the last column of F zero,
/// as [zhang2023, after Eq. 32] does for identifiability; the authors' program draws it like the others.
struct MultinomialEmission {
  Index trials = 100;
};

using Emission = std::variant<GaussianEmission, PoissonEmission, NegativeBinomialEmission, BinomialEmission,
                              MultinomialEmission>;

/// Throws unless the emission suits M columns.
void check_emission(const Emission& emission, Index M);

/// E[y | f], N x M: f + offset, or the rates of the counts.
Matrix emission_mean(const Emission& emission, MatrixIn F);

/// Y, N x M. Row n has its own child of `rng`: it does not depend on the other rows.
Matrix draw_emission(const Emission& emission, MatrixIn F, const Rng& rng);

/// The r of a negative binomial with M columns, else empty.
Vector emission_dispersion(const Emission& emission, Index M);

}  // namespace bochner
