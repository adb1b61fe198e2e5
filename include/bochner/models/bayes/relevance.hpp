#pragma once
#include "bochner/models/bayes/fit.hpp"
#include "bochner/models/latent/relevance.hpp"

namespace bochner {

/// Whether `relevance` is about the measured entries of the view, or else about its functions f.
bool explains_entries(const BayesViewFit& view);

/// Variance explained by view and dimension, from the stored draws: predictions are averages over draws, a dimension is
/// averaged over the samples of each draw, and dimensions are those of the common frame of the draws (fit.X). `data`: what the
/// fit has seen.
///
/// Gaussian views: of the variance of the measured entries, scaled as in the fit. Counts and labels have no scale on which
/// noise and signal add up, so there it is the variance of f over the samples with a measured entry and over draws:
/// `explained` is the part of it that the means over draws have, and the rest is what is not known about f. A softmax does
/// not see what its functions have in common, which is left out; the functions of a label are one column.
Relevance relevance(const BayesFit& fit, const Dataset& data, const Compute& compute);

}  // namespace bochner
