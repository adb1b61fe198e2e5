#pragma once
#include "amplitude_trial.hpp"
#include "src/models/bayes/table.hpp"

namespace bochner {

/// The normal likelihood that a view has, or gets from auxiliary variables: entry (n, j) contributes
/// exp(K_nj f_nj - Omega_nj f_nj^2 / 2). Both are zero where nothing was measured.
struct NormalTerms {
  Matrix Omega, K;  // N x J
};

/// Gaussian noise as it is; Polya-gamma variables for the logistic likelihoods [polson2013], [zhang2023, Eq. 26 - 28 with
/// b = number of trials].
NormalTerms normal_terms(const BayesTable& table, const BayesViewState& view, MatrixIn F, const Rng& rng,
                         const Compute& compute);

/// Weights and intercepts of all columns given normal terms, drawn exactly, and those of the trial, if there is one.
void draw_weights(const BayesTable& table, const NormalTerms& terms, MatrixIn Phi, double intercept_sd,
                  BayesViewState& view, AmplitudeTrial& trial, const Rng& rng, const Compute& compute);

/// log u_n of each row and softmax: a multinomial row is a row of Poisson counts of rates u_n exp(f_nj) once u_n is drawn
/// from Gamma(total_n, sum_j exp(f_nj)), which unties its columns. N x J. Poisson tables: their own offsets, empty if they have none.
Matrix draw_offsets(const BayesTable& table, MatrixIn F, const Rng& rng, const Compute& compute);

/// What the columns of a softmax have in common, which its likelihood does not see: drawn from the prior, exactly. Given the
/// offsets it would hardly move.
void draw_common(const BayesTable& table, double intercept_sd, BayesViewState& view, Rng& rng);

/// Weights and intercepts of Poisson columns near the mode of their posterior, to start from. (2L + 1) x J.
Matrix likely_weights(const BayesTable& table, MatrixIn offsets, MatrixIn Phi, double intercept_sd,
                      double amplitude, const Compute& compute);

/// Weights and intercepts of Poisson columns: each on an ellipse of Student's t around the mode of its posterior, which knows
/// all but the present weights, and which the slice corrects [nishihara2014, Alg. 2]; then those of the trial, if there is one.
/// F = Phi B.
void slice_weights(const BayesTable& table, MatrixIn offsets, MatrixIn Phi, MatrixIn F, double intercept_sd,
                   BayesViewState& view, AmplitudeTrial& trial, const Rng& rng, const Compute& compute);

}  // namespace bochner
