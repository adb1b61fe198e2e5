#pragma once
#include <string>
#include <vector>

#include "bochner/models/harmonic/fit.hpp"
#include "bochner/random/rng.hpp"

namespace bochner {

// What a fit says about columns of the user's table. Predictions are means of outcomes, or probabilities of classes, P of them.

/// How far each column counts, between 0 and about 1: half the mean squared change of the predictions when the column is exchanged
/// with that of another row, in units of their variance, averaged over the P: the total Sobol index where columns are
/// independent [jansen1999]. At most 500 rows are looked at, fewer where there are many columns. In the order of table_columns().
Vector input_relevance(const HarmonicFit& fit, MatrixIn X, const Rng& rng, const Compute& compute);

/// The mean prediction over rows when a column is set to each of some values [friedman2001].
struct PartialDependence {
  std::string column;
  std::vector<std::string> levels{};  // of a category; none for numbers
  Vector values{};                    // of numbers and dates (days)
  Matrix mean;                        // values or levels x P
};

/// At 20 quantiles of the column, or all of its levels, over at most 200 rows of X.
PartialDependence partial_dependence(const HarmonicFit& fit, MatrixIn X, Index column,
                                     const Compute& compute);

/// Length-scales of the first part of the kernel that has some, one for each column of inputs.names(), in scaled units; empty
/// where there are none.
Vector lengthscales(const AnyKernel& kernel);

/// The noise variance of each outcome in its own units, of heteroscedastic noise where its latent function is 0, of Student's t
/// the squared scale; empty for counts and classes.
Vector noise_variance(const HarmonicFit& fit);

}  // namespace bochner
