#pragma once
#include <vector>

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

/// How columns of a view follow the dimensions, M x Q: posterior mean and standard deviation, from the stored draws.
struct BayesLoadings {
  Matrix mean, sd;
};

/// Per view: the mean derivative of f along a dimension over the samples of a draw, per standard deviation of the dimension, in
/// standard deviations of the measured entries (Gaussian views) or of f over the samples (others). A label of two classes rises
/// towards the second; one of more has no direction: NaN. A column that rises and falls has a small loading and a large
/// relevance.
std::vector<BayesLoadings> loadings(const BayesFit& fit, const Dataset& data, const Compute& compute);

/// Means and intervals over draws, values x M.
struct BayesResponse {
  Matrix mean, low, high;
};

/// Partial dependence: E[y | draw] of every column of a view, in the units of the table, with dimension q at `values` and the
/// others where the samples of the draw are, averaged over these (at most 50 samples of 200 draws, at even distances). Labels of
/// two classes have the probability of the second, those of more NaN. Entries out of a number of trials have its mean, rows that
/// are divided by factors their median.
BayesResponse response(const BayesFit& fit, const BayesViewFit& view, Index q, const Vector& values,
                       double interval, const Compute& compute);

}  // namespace bochner
