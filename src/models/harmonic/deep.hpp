#pragma once
#include "bound.hpp"
#include "hidden.hpp"

namespace bochner {

/// The doubly stochastic bound of a deep GP [salimbeni2017, Eq. 18] from a batch of rows, with one draw of the hidden layers for each
/// row; the last layer is integrated in closed form. Without hidden layers it is harmonic_bound, to the last bit. Fills the
/// gradient, and with a target the gradient without `mean` and `factor` of the last layer. Rows are taken through the hidden
/// layers in tiles, so that memory does not grow with the batch.
HarmonicBound deep_bound(const HarmonicGp& gp, MatrixIn X, MatrixIn Y, double scale, const HiddenNoise& noise,
                         const Compute& compute, HarmonicGradient* gradient = nullptr,
                         NaturalTarget* target = nullptr, double tile_memory = 5e8);

/// A draw of the hidden layers at the rows of X: what the last layer sees.
Matrix sample_hidden(const HarmonicGp& gp, MatrixIn X, const HiddenNoise& noise, const Compute& compute);

/// Rows that pass the hidden layers together in `memory` bytes, at least one.
Index tile_rows(const std::vector<HiddenLayer>& hidden, double memory);

/// `draws` draws of the hidden layers, in antithetic pairs, and the marginals of the last layer at each: a mixture. One of them,
/// exact, without hidden layers. A row does not depend on the others.
std::vector<LatentMarginals> predict_draws(const HarmonicGp& gp, MatrixIn X, Index draws, const Rng& rng,
                                           const Compute& compute);

}  // namespace bochner
