#pragma once
#include <functional>

#include "bound.hpp"
#include "hidden.hpp"

namespace bochner {

/// Bytes of features that rows on their way through the hidden layers may take; one row may take more.
inline constexpr double tile_bytes = 5e8;

/// The doubly stochastic bound of a deep GP [salimbeni2017, Eq. 18] from a batch of rows, with one draw of the hidden layers for each
/// row; the last layer is integrated in closed form. Without hidden layers it is harmonic_bound, to the last bit. Fills the
/// gradient, and with a target the gradient without `mean` and `factor` of the last layer. Rows are taken through the hidden
/// layers in tiles, so that memory does not grow with the batch.
HarmonicBound deep_bound(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale, const HiddenNoise& noise,
                         const Compute& compute, HarmonicGradient* gradient = nullptr,
                         NaturalTarget* target = nullptr, double tile_memory = tile_bytes);

/// A draw of the hidden layers at the rows of X: what the last layer sees.
Matrix sample_hidden(const HarmonicGp& gp, MatrixIn X, const HiddenNoise& noise, const Compute& compute);

/// Bytes that one row takes in a hidden layer of `places` windows of d columns, R functions and H groups of m points.
double row_bytes(Index places, Index d, Index R, Index m, Index H);

/// Rows that pass the hidden layers together in `memory` bytes, at least one.
Index tile_rows(const std::vector<HiddenLayer>& hidden, double memory);

/// f(what the last layer sees) for `draws` draws of the hidden layers, in antithetic pairs; f(X) once without hidden layers. A row
/// does not depend on the others.
void for_each_draw(const HarmonicGp& gp, MatrixIn X, Index draws, const Rng& rng, const Compute& compute,
                   const std::function<void(MatrixIn inputs)>& f);

/// The marginals of the last layer at each draw: a mixture. One of them, exact, without hidden layers.
std::vector<LatentMarginals> predict_draws(const HarmonicGp& gp, MatrixIn X, Index draws, const Rng& rng,
                                           const Compute& compute);

/// log of the mean over `draws` of the hidden layers of p(y | draw), N x outputs; NaN where Y is. Of one draw, log_predictive.
Matrix mixture_log_predictive(const AnyLikelihood& likelihood, MatrixIn Y,
                              const std::vector<LatentMarginals>& draws);

}  // namespace bochner
