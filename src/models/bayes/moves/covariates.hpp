#pragma once
#include "src/models/bayes/model.hpp"

namespace bochner {

/// Latents along covariates: x_d -> x_d + s c_k for all rows, while the coefficients of c_k give back what f rises by that on average.
/// Latents and coefficients can share what a covariate explains, and given one of them the other hardly moves. s by slice sampling;
/// nothing is done without covariates.
void shift_along_covariates(const BayesModel& model, BayesState& state, Rng& rng, const Compute& compute);

}  // namespace bochner
